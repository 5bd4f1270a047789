/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of the L1 prefetcher: memory for them, which one a hardware thread has, and the registers of its list. */
#include <assert.h>
#include <spi/include/l1p/pprefetch.h>
#include <string.h>

L1P_PatternLimitPolicy_t _L1P_PatternLimitMode;
uint64_t _L1P_PatternLimit;
uint64_t _L1P_PatternCount;
L1P_SPIContext _L1P_Context[68];

enum { kLine = 64, kLeast = 256, kDepth = 7 };

static L1P_SPIContext* context_of(void) {
  return &_L1P_Context[Kernel_ProcessorID()];
}
static volatile uint64_t* own(uint64_t place) {
  return (volatile uint64_t*)(Kernel_L1pBaseAddress() + L1P_PP_THREADOFFSET * Kernel_ProcessorThreadID() + place);
}

/* Memory of a pattern. An address has 4 bytes; the prefetcher begins at a line. */
static int make(uint64_t n, L1P_Pattern_t* pattern) {
  pattern->size = n * L1P_MISSLISTENTRYSIZE + kLine - 1;
  if (pattern->size < kLeast) pattern->size = kLeast;
  pattern->ReadPattern = malloc(pattern->size);
  pattern->WritePattern = malloc(pattern->size);
  if (pattern->ReadPattern == NULL || pattern->WritePattern == NULL) return L1P_NOMEMORY;
  memset(pattern->ReadPattern, 0xFF, kLeast); /* a list that has ended */
  return 0;
}
static void destroy(L1P_Pattern_t* pattern) {
  free(pattern->ReadPattern);
  free(pattern->WritePattern);
  memset(pattern, 0, sizeof *pattern);
}

static int show(const L1P_Pattern_t* pattern) {
  const int error = (int)Kernel_L1pSetPatternAddress(pattern->ReadPattern, pattern->WritePattern, pattern->size);
  if (error != 0) return error;
  *own(L1P_PP_CTRL) = L1P_PP_CTRL_DEPTH(kDepth) | L1P_PP_CTRL_MAXLIST(kDepth);
  *own(L1P_PP_MAXTOL) = 0xFFFFFFFF;
  ppc_msync();
  return 0;
}
static int give_back(L1P_SPIContext* context) {
  if (!context->implicitPatternAllocate) return 0;
  const int error = (int)Kernel_L1pSetPatternAddress(NULL, NULL, 0);
  if (error != 0) return error;
  destroy(&context->currentPattern);
  context->implicitPatternAllocate = 0;
  return 0;
}

int L1P_AllocatePattern(uint64_t n, L1P_Pattern_t** handle) {
  if (handle == NULL) return L1P_NOMEMORY;
  const uint64_t others = Fetch_and_Add(&_L1P_PatternCount, 1);
  if (others >= _L1P_PatternLimit) {
    if (_L1P_PatternLimitMode == L1P_PatternLimit_Error) {
      Fetch_and_Add(&_L1P_PatternCount, (uint64_t)-1);
      return L1P_NOMEMORY;
    }
    assert(_L1P_PatternLimitMode != L1P_PatternLimit_Assert);
    if (_L1P_PatternLimitMode == L1P_PatternLimit_Prune) context_of()->ignorePatternActions = 1;
  }
  *handle = (L1P_Pattern_t*)malloc(sizeof **handle);
  return *handle == NULL ? L1P_NOMEMORY : make(n, *handle);
}

int L1P_DeallocatePattern(L1P_Pattern_t* pattern) {
  if (pattern == NULL) return L1P_PARMRANGE;
  const L1P_Pattern_t* const current = &context_of()->currentPattern;
  if (pattern->ReadPattern == current->ReadPattern || pattern->WritePattern == current->WritePattern)
    return L1P_PATTERNACTIVE;
  destroy(pattern);
  free(pattern);
  Fetch_and_Add(&_L1P_PatternCount, (uint64_t)-1);
  return 0;
}

int L1P_SetPattern(L1P_Pattern_t* pattern) {
  enum { kUsual = 1024 };
  L1P_SPIContext* const context = context_of();
  if (context->ignorePatternActions) return 0;
  if (pattern != &context->currentPattern) {
    if (!context->valid) return L1P_NOTCONFIGURED;
    int error = give_back(context);
    if (error == 0 && pattern == NULL) error = make(kUsual, &context->currentPattern);
    if (error != 0) return error;
    if (pattern != NULL) context->currentPattern = *pattern;
    context->implicitPatternAllocate = pattern == NULL;
  }
  return show(&context->currentPattern);
}

/* The program has it from now on. */
int L1P_GetPattern(L1P_Pattern_t** handle) {
  L1P_SPIContext* const context = context_of();
  if (!context->valid) return L1P_NOTCONFIGURED;
  if (handle == NULL) return L1P_PARMRANGE;
  *handle = (L1P_Pattern_t*)malloc(sizeof **handle);
  if (*handle == NULL) return L1P_NOMEMORY;
  **handle = context->currentPattern;
  context->implicitPatternAllocate = 0;
  return 0;
}

int L1P_PatternConfigure(uint64_t n) {
  L1P_SPIContext* const context = context_of();
  assert(!(context->valid && context->nestPolicy == L1P_NestingError));
  void* outer = NULL;
  if (context->valid) {
    if (context->nestPolicy == L1P_NestingFlat || context->nestPolicy == L1P_NestingIgnore) {
      ++context->nestDepth;
      if (context->nestPolicy == L1P_NestingIgnore) context->ignorePatternActions = 1;
      return 0;
    }
    outer = malloc(sizeof *context);
    if (outer == NULL) return L1P_NOMEMORY;
    memcpy(outer, context, sizeof *context);
  }
  context->nestedContext = outer;
  context->nestDepth = 0;
  context->ignorePatternActions = 0;
  int error = make(n, &context->currentPattern);
  context->implicitPatternAllocate = 1;
  if (error == 0) error = L1P_SetPattern(&context->currentPattern);
  if (error == 0) context->valid = 1;
  return error;
}

int L1P_PatternUnconfigure(void) {
  L1P_SPIContext* const context = context_of();
  if (!context->valid) return L1P_NOTCONFIGURED;
  if (context->nestDepth > 0) {
    if (--context->nestDepth == 0) context->ignorePatternActions = 0;
    return 0;
  }
  const int error = give_back(context);
  if (error != 0) return error;
  void* const outer = context->nestedContext;
  context->valid = 0;
  if (outer == NULL) return 0;
  memcpy(context, outer, sizeof *context);
  free(outer);
  return L1P_SetPattern(&context->currentPattern);
}

/* Whether a function of the pattern has something to do: 0, a code, or -1 if it has not. */
static int idle(const L1P_SPIContext* context) {
  if (!context->valid) return L1P_NOTCONFIGURED;
  return context->ignorePatternActions ? -1 : 0;
}

int L1P_PatternStart(int record) {
  const int why = idle(context_of());
  if (why != 0) return why < 0 ? 0 : why;
  *own(L1P_PP_STATUS) = 0xF;
  *own(L1P_PP_CTRL) |= L1P_PP_CTRL_START | L1P_PP_CTRL_LOAD | (record == 0 ? L1P_PP_CTRL_INHIBIT : 0);
  return 0;
}
int L1P_PatternPause(void) {
  const int why = idle(context_of());
  if (why == 0) *own(L1P_PP_CTRL) |= L1P_PP_CTRL_PAUSE;
  return why < 0 ? 0 : why;
}
int L1P_PatternResume(void) {
  const int why = idle(context_of());
  if (why == 0) *own(L1P_PP_CTRL) &= ~L1P_PP_CTRL_PAUSE;
  return why < 0 ? 0 : why;
}
int L1P_PatternStop(void) {
  L1P_SPIContext* const context = context_of();
  const int why = idle(context);
  if (why != 0) return why < 0 ? 0 : why;
  const uint64_t control = *own(L1P_PP_CTRL);
  if ((control & L1P_PP_CTRL_START) == 0) return 0;
  *own(L1P_PP_CTRL) = control & ~(L1P_PP_CTRL_START | L1P_PP_CTRL_LOAD | L1P_PP_CTRL_INHIBIT);
  while ((*own(L1P_PP_STATUS) & L1P_PP_STATUS_FINISHED) == 0) continue;
  /* The prefetcher of this simulator records nothing: a list that has been written is an empty one. */
  if ((control & L1P_PP_CTRL_INHIBIT) != 0) return 0;
  L1P_Pattern_t* const pattern = &context->currentPattern;
  memset(pattern->WritePattern, 0xFF, kLeast);
  void* const written = pattern->WritePattern;
  pattern->WritePattern = pattern->ReadPattern;
  pattern->ReadPattern = written;
  return (int)Kernel_L1pSetPatternAddress(pattern->ReadPattern, pattern->WritePattern, pattern->size);
}

int L1P_PatternStatus(L1P_Status_t* status) {
  status->status = *own(L1P_PP_STATUS);
  return 0;
}

static uint64_t addresses(const void* now, const void* first) {
  const uintptr_t begin = ((uintptr_t)first + kLine - 1) & ~(uintptr_t)(kLine - 1);
  return ((uintptr_t)now - begin) / L1P_MISSLISTENTRYSIZE;
}
int L1P_PatternGetCurrentDepth(uint64_t* fetch_depth, uint64_t* generate_depth) {
  const L1P_Pattern_t* const pattern = &context_of()->currentPattern;
  void *reading, *writing;
  const int error = (int)Kernel_L1pGetCurrentPatternAddress(&reading, &writing);
  if (error != 0) return error;
  *fetch_depth = addresses(reading, pattern->ReadPattern);
  *generate_depth = addresses(writing, pattern->WritePattern);
  return 0;
}

int L1P_PatternGetNestingMode(L1P_PatternNest_t* mode) {
  *mode = context_of()->nestPolicy;
  return 0;
}
int L1P_PatternSetNestingMode(L1P_PatternNest_t mode) {
  context_of()->nestPolicy = mode;
  return 0;
}
int L1P_PatternSetAbandonThreshold(uint64_t numL1misses) {
  if (!context_of()->ignorePatternActions) *own(L1P_PP_MAXTOL) = numL1misses;
  return 0;
}
int L1P_PatternGetAbandonThreshold(uint64_t* numL1misses) {
  *numL1misses = *own(L1P_PP_MAXTOL);
  return 0;
}

static volatile uint64_t* streams_register(void) {
  return (volatile uint64_t*)(Kernel_L1pBaseAddress() + L1P_CFG_PF_USR - PHYMAP_MINADDR_L1P - PHYMAP_PRIVILEGEDOFFSET);
}
int L1P_PatternSetEnable(int enable) {
  if (context_of()->ignorePatternActions) return 0;
  const uint64_t others = *streams_register() & ~L1P_CFG_PF_USR_pf_list_enable;
  *streams_register() = others | (enable != 0 ? L1P_CFG_PF_USR_pf_list_enable : 0);
  return 0;
}
int L1P_PatternGetEnable(int* enable) {
  *enable = (*streams_register() & L1P_CFG_PF_USR_pf_list_enable) != 0;
  return 0;
}
int L1P_PatternSetPatternLimit(L1P_PatternLimitPolicy_t policy, uint64_t numactivepatterns) {
  _L1P_PatternLimitMode = policy;
  _L1P_PatternLimit = numactivepatterns;
  return 0;
}
int L1P_PatternGetPatternLimit(L1P_PatternLimitPolicy_t* policy, uint64_t* numactivepatterns) {
  if (policy == NULL || numactivepatterns == NULL) return L1P_PARMRANGE;
  *policy = _L1P_PatternLimitMode;
  *numactivepatterns = _L1P_PatternLimit;
  return 0;
}
