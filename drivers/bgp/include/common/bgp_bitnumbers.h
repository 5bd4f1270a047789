/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bits and fields of words in IBM's numbering: bit 0 is the most significant. _BN(b) is bit b; _Bn(b, x) is the n bits
 * of x in the field that ends at bit b, and _Gn(x, b) reads such a field.
 */
#ifndef _BGP_BITNUMBERS_H_
#define _BGP_BITNUMBERS_H_

#include <common/namespace.h>

#define _BN(b) (1u << (31 - (b)))
#define _GN(x, b) (((x) >> (31 - (b))) & 1u)

#define _B1(b, x) (((x)&0x1u) << (31 - (b)))
#define _B2(b, x) (((x)&0x3u) << (31 - (b)))
#define _B3(b, x) (((x)&0x7u) << (31 - (b)))
#define _B4(b, x) (((x)&0xFu) << (31 - (b)))
#define _B5(b, x) (((x)&0x1Fu) << (31 - (b)))
#define _B6(b, x) (((x)&0x3Fu) << (31 - (b)))
#define _B7(b, x) (((x)&0x7Fu) << (31 - (b)))
#define _B8(b, x) (((x)&0xFFu) << (31 - (b)))
#define _B9(b, x) (((x)&0x1FFu) << (31 - (b)))
#define _B10(b, x) (((x)&0x3FFu) << (31 - (b)))
#define _B11(b, x) (((x)&0x7FFu) << (31 - (b)))
#define _B12(b, x) (((x)&0xFFFu) << (31 - (b)))
#define _B13(b, x) (((x)&0x1FFFu) << (31 - (b)))
#define _B14(b, x) (((x)&0x3FFFu) << (31 - (b)))
#define _B15(b, x) (((x)&0x7FFFu) << (31 - (b)))
#define _B16(b, x) (((x)&0xFFFFu) << (31 - (b)))
#define _B17(b, x) (((x)&0x1FFFFu) << (31 - (b)))
#define _B18(b, x) (((x)&0x3FFFFu) << (31 - (b)))
#define _B19(b, x) (((x)&0x7FFFFu) << (31 - (b)))
#define _B20(b, x) (((x)&0xFFFFFu) << (31 - (b)))
#define _B21(b, x) (((x)&0x1FFFFFu) << (31 - (b)))
#define _B22(b, x) (((x)&0x3FFFFFu) << (31 - (b)))
#define _B23(b, x) (((x)&0x7FFFFFu) << (31 - (b)))
#define _B24(b, x) (((x)&0xFFFFFFu) << (31 - (b)))
#define _B25(b, x) (((x)&0x1FFFFFFu) << (31 - (b)))
#define _B26(b, x) (((x)&0x3FFFFFFu) << (31 - (b)))
#define _B27(b, x) (((x)&0x7FFFFFFu) << (31 - (b)))
#define _B28(b, x) (((x)&0xFFFFFFFu) << (31 - (b)))
#define _B29(b, x) (((x)&0x1FFFFFFFu) << (31 - (b)))
#define _B30(b, x) (((x)&0x3FFFFFFFu) << (31 - (b)))
#define _B31(b, x) (((x)&0x7FFFFFFFu) << (31 - (b)))

#define _G2(x, b) (((x) >> (31 - (b))) & 0x3u)
#define _G3(x, b) (((x) >> (31 - (b))) & 0x7u)
#define _G4(x, b) (((x) >> (31 - (b))) & 0xFu)
#define _G5(x, b) (((x) >> (31 - (b))) & 0x1Fu)
#define _G6(x, b) (((x) >> (31 - (b))) & 0x3Fu)
#define _G7(x, b) (((x) >> (31 - (b))) & 0x7Fu)
#define _G8(x, b) (((x) >> (31 - (b))) & 0xFFu)
#define _G9(x, b) (((x) >> (31 - (b))) & 0x1FFu)
#define _G10(x, b) (((x) >> (31 - (b))) & 0x3FFu)
#define _G11(x, b) (((x) >> (31 - (b))) & 0x7FFu)
#define _G12(x, b) (((x) >> (31 - (b))) & 0xFFFu)
#define _G13(x, b) (((x) >> (31 - (b))) & 0x1FFFu)
#define _G14(x, b) (((x) >> (31 - (b))) & 0x3FFFu)
#define _G15(x, b) (((x) >> (31 - (b))) & 0x7FFFu)
#define _G16(x, b) (((x) >> (31 - (b))) & 0xFFFFu)
#define _G17(x, b) (((x) >> (31 - (b))) & 0x1FFFFu)
#define _G18(x, b) (((x) >> (31 - (b))) & 0x3FFFFu)
#define _G19(x, b) (((x) >> (31 - (b))) & 0x7FFFFu)
#define _G20(x, b) (((x) >> (31 - (b))) & 0xFFFFFu)
#define _G21(x, b) (((x) >> (31 - (b))) & 0x1FFFFFu)
#define _G22(x, b) (((x) >> (31 - (b))) & 0x3FFFFFu)
#define _G23(x, b) (((x) >> (31 - (b))) & 0x7FFFFFu)
#define _G24(x, b) (((x) >> (31 - (b))) & 0xFFFFFFu)
#define _G25(x, b) (((x) >> (31 - (b))) & 0x1FFFFFFu)
#define _G26(x, b) (((x) >> (31 - (b))) & 0x3FFFFFFu)
#define _G27(x, b) (((x) >> (31 - (b))) & 0x7FFFFFFu)
#define _G28(x, b) (((x) >> (31 - (b))) & 0xFFFFFFFu)
#define _G29(x, b) (((x) >> (31 - (b))) & 0x1FFFFFFFu)
#define _G30(x, b) (((x) >> (31 - (b))) & 0x3FFFFFFFu)
#define _G31(x, b) (((x) >> (31 - (b))) & 0x7FFFFFFFu)

/* The field of s bits that ends at bit b: write, read; the same in doublewords. s is less than the word's bits. */
#define _BS(b, x, s) (((x) & ((1u << (s)) - 1u)) << (31 - (b)))
#define _BG(b, x, s) (((x) >> (31 - (b))) & ((1u << (s)) - 1u))
#define _BS64(b, x, s) (((x) & ((1ull << (s)) - 1ull)) << (63 - (b)))
#define _BG64(b, x, s) (((x) >> (63 - (b))) & ((1ull << (s)) - 1ull))

#endif
