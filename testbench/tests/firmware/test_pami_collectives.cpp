// SPDX-License-Identifier: Apache-2.0
// Every collective operation of PAMI that goes by messages, by every algorithm that a client is offered, against plain
// arithmetic; with types that lie scattered, and in geometries of tasks and of endpoints.
#include <gtest/gtest.h>

#include <numeric>

#include "testbench/tests/firmware/pami_double.h"

namespace toroid_test {
namespace {

using Words = std::vector<std::int64_t>;

constexpr std::int64_t kUntouched = -77;

/// Elements of a word each, packed or with a gap behind each.
struct Layout {
  explicit Layout(bool scattered) : gap(scattered ? 2 : 1) {
    if (!scattered) {
      type = PAMI_TYPE_SIGNED_LONG;
      return;
    }
    PAMI_Type_create(&own);
    PAMI_Type_add_typed(own, PAMI_TYPE_SIGNED_LONG, 0, 1, 16);
    PAMI_Type_complete(own, 8);
    type = own;
  }
  ~Layout() {
    if (own) PAMI_Type_destroy(&own);
  }
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  Words spread(const Words& words) const {
    Words all(words.size() * gap, kUntouched);
    for (size_t i = 0; i < words.size(); ++i) all[i * gap] = words[i];
    return all;
  }
  Words room(size_t words) const { return Words(words * gap, kUntouched); }

  size_t gap;
  pami_type_t type = nullptr;
  pami_type_t own = nullptr;
};

char* bytes(Words& words) {
  return reinterpret_cast<char*>(words.data());
}

struct Case {
  unsigned tasks;
  size_t count;
  bool scattered;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.tasks << " tasks, " << c.count << " words" << (c.scattered ? ", scattered" : "");
}

class PamiCollectives : public testing::TestWithParam<Case> {
 protected:
  PamiCollectives() : job(GetParam().tasks, 1, 4711), layout(GetParam().scattered) {}

  unsigned n() const { return GetParam().tasks; }
  size_t count() const { return GetParam().count; }

  /// What a task contributes, for the task `to` where that matters.
  Words contribution(unsigned from, unsigned to = 0) const {
    Words words(count());
    for (size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::int64_t>(from * 1000003 + to * 1009 + i + 1);
    return words;
  }

  std::vector<std::vector<pami_algorithm_t>> algorithms(pami_xfer_type_t type) {
    std::vector<std::vector<pami_algorithm_t>> by_task;
    for (unsigned task = 0; task < n(); ++task) {
      size_t lengths[2];
      EXPECT_EQ(PAMI_Geometry_algorithms_num(job.world(task), type, lengths), PAMI_SUCCESS);
      std::vector<pami_algorithm_t> list(lengths[0]);
      std::vector<pami_metadata_t> data(lengths[0]);
      EXPECT_EQ(PAMI_Geometry_algorithms_query(job.world(task), type, list.data(), data.data(), list.size(), nullptr,
                                               nullptr, 0),
                PAMI_SUCCESS);
      by_task.push_back(list);
    }
    return by_task;
  }

  /// Starts the operation at each task, in an order that differs from one algorithm to the next, and waits for all.
  void each_algorithm(pami_xfer_type_t type, const std::function<void(unsigned, pami_collective_t&)>& arguments,
                      const std::function<void()>& check) {
    const auto lists = algorithms(type);
    ASSERT_FALSE(lists[0].empty());
    for (size_t a = 0; a < lists[0].size(); ++a) {
      SCOPED_TRACE("algorithm " + std::to_string(a));
      unsigned left = n();
      for (unsigned i = 0; i < n(); ++i) {
        const unsigned task = (i * 7 + static_cast<unsigned>(a)) % n();
        start(n() % 7 ? task : i, lists[n() % 7 ? task : i][a], arguments, left);
      }
      ASSERT_TRUE(job.advance_until([&] { return left == 0; }));
      ASSERT_TRUE(job.advance_until([&] { return job.idle(); }));
      check();
    }
  }

  void start(unsigned task, pami_algorithm_t algorithm,
             const std::function<void(unsigned, pami_collective_t&)>& arguments, unsigned& left) {
    pami_xfer_t xfer{};
    xfer.cb_done = [](pami_context_t, void* cookie, pami_result_t) { --*static_cast<unsigned*>(cookie); };
    xfer.cookie = &left;
    xfer.algorithm = algorithm;
    arguments(task, xfer.cmd);
    ASSERT_EQ(PAMI_Collective(job.context(task), &xfer), PAMI_SUCCESS);
  }

  pami_endpoint_t root() const { return pami_endpoint_of(n() / 2, 0); }

  PamiJob job;
  Layout layout;
};

TEST_P(PamiCollectives, BarrierHoldsUntilTheLastHasCome) {
  const auto lists = algorithms(PAMI_XFER_BARRIER);
  for (size_t a = 0; a < lists[0].size(); ++a) {
    unsigned left = n();
    for (unsigned task = 0; task + 1 < n(); ++task)
      start(
          task, lists[task][a], [](unsigned, pami_collective_t&) {}, left);
    EXPECT_FALSE(job.advance_until([&] { return left < n(); }));
    start(
        n() - 1, lists[n() - 1][a], [](unsigned, pami_collective_t&) {}, left);
    EXPECT_TRUE(job.advance_until([&] { return left == 0; }));
  }
}

TEST_P(PamiCollectives, Broadcast) {
  std::vector<Words> buffer(n());
  each_algorithm(
      PAMI_XFER_BROADCAST,
      [&](unsigned task, pami_collective_t& c) {
        buffer[task] = task == pami_task_of(root()) ? layout.spread(contribution(task)) : layout.room(count());
        c.xfer_broadcast = {root(), bytes(buffer[task]), layout.type, count()};
      },
      [&] {
        for (unsigned t = 0; t < n(); ++t) EXPECT_EQ(buffer[t], layout.spread(contribution(n() / 2))) << t;
      });
}

/// 3x + y does not commute, and neither does its sum over ranks; it associates over pairs (factor, sum).
struct Affine {
  std::uint32_t factor, sum;
};
void compose(void* target, void* source, size_t bytes, void*) {
  auto* higher = static_cast<Affine*>(target);
  const auto* lower = static_cast<const Affine*>(source);
  for (size_t i = 0; i < bytes / sizeof(Affine); ++i) {
    higher[i] = {lower[i].factor * higher[i].factor, lower[i].sum * higher[i].factor + higher[i].sum};
  }
}

Words composed(const PamiCollectives&, unsigned from, unsigned to, size_t count,
               const std::function<Words(unsigned)>& contribution) {
  Words all = contribution(from);
  for (unsigned task = from + 1; task < to; ++task) {
    Words next = contribution(task);
    compose(next.data(), all.data(), count * 8, nullptr);
    all = next;
  }
  return all;
}

#define COMPOSED(from, to) composed(*this, from, to, count(), [&](unsigned t) { return contribution(t); })

TEST_P(PamiCollectives, ReduceInTheOrderOfRanks) {
  std::vector<Words> out(n()), in(n());
  each_algorithm(
      PAMI_XFER_REDUCE,
      [&](unsigned task, pami_collective_t& c) {
        out[task] = layout.spread(contribution(task));
        in[task] = layout.room(count());
        c.xfer_reduce = {root(),      bytes(out[task]), layout.type, count(), bytes(in[task]),
                         layout.type, count(),          compose,     nullptr, 0};
      },
      [&] {
        for (unsigned t = 0; t < n(); ++t) {
          EXPECT_EQ(in[t], t == n() / 2 ? layout.spread(COMPOSED(0, n())) : layout.room(count())) << t;
        }
      });
}

TEST_P(PamiCollectives, AllreduceInTheOrderOfRanks) {
  std::vector<Words> out(n()), in(n());
  each_algorithm(
      PAMI_XFER_ALLREDUCE,
      [&](unsigned task, pami_collective_t& c) {
        out[task] = layout.spread(contribution(task));
        in[task] = layout.room(count());
        c.xfer_allreduce = {bytes(out[task]), layout.type, count(), bytes(in[task]), layout.type, count(),
                            compose,          nullptr,     0};
      },
      [&] {
        for (unsigned t = 0; t < n(); ++t) EXPECT_EQ(in[t], layout.spread(COMPOSED(0, n()))) << t;
      });
}

TEST_P(PamiCollectives, SumsInPlace) {
  std::vector<Words> buffer(n());
  Words sum(count(), 0);
  for (unsigned t = 0; t < n(); ++t) {
    for (size_t i = 0; i < count(); ++i) sum[i] += contribution(t)[i];
  }
  each_algorithm(
      PAMI_XFER_ALLREDUCE,
      [&](unsigned task, pami_collective_t& c) {
        buffer[task] = layout.spread(contribution(task));
        c.xfer_allreduce = {bytes(buffer[task]), layout.type, count(), bytes(buffer[task]), layout.type, count(),
                            PAMI_DATA_SUM,       nullptr,     1};
      },
      [&] {
        for (unsigned t = 0; t < n(); ++t) EXPECT_EQ(buffer[t], layout.spread(sum)) << t;
      });
}

TEST_P(PamiCollectives, Scans) {
  for (const int exclusive : {0, 1}) {
    std::vector<Words> out(n()), in(n());
    each_algorithm(
        PAMI_XFER_SCAN,
        [&](unsigned task, pami_collective_t& c) {
          out[task] = layout.spread(contribution(task));
          in[task] = layout.room(count());
          c.xfer_scan = {bytes(out[task]), layout.type, count(), bytes(in[task]), layout.type,
                         count(),          compose,     nullptr, exclusive};
        },
        [&] {
          for (unsigned t = 0; t < n(); ++t) {
            const bool none = exclusive && t == 0;
            EXPECT_EQ(in[t], none ? layout.room(count()) : layout.spread(COMPOSED(0, t + !exclusive))) << t;
          }
        });
  }
}

/// A buffer with what `from` has for each task, or each has for `to`.
#define FOR_EACH(expression)                           \
  [&] {                                                \
    Words all;                                         \
    for (unsigned other = 0; other < n(); ++other) {   \
      const Words part = (expression);                 \
      all.insert(all.end(), part.begin(), part.end()); \
    }                                                  \
    return all;                                        \
  }()

TEST_P(PamiCollectives, ReduceScatter) {
  std::vector<Words> out(n()), in(n());
  std::vector<size_t> counts(n(), count());
  each_algorithm(
      PAMI_XFER_REDUCE_SCATTER,
      [&](unsigned task, pami_collective_t& c) {
        out[task] = layout.spread(FOR_EACH(contribution(task, other)));
        in[task] = layout.room(count());
        c.xfer_reduce_scatter = {bytes(out[task]), layout.type, count() * n(),
                                 bytes(in[task]),  layout.type, counts.data(),
                                 PAMI_DATA_SUM,    nullptr,     1};
      },
      [&] {
        for (unsigned t = 0; t < n(); ++t) {
          Words sum(count(), 0);
          for (unsigned from = 0; from < n(); ++from) {
            for (size_t i = 0; i < count(); ++i) sum[i] += contribution(from, t)[i];
          }
          EXPECT_EQ(in[t], layout.spread(sum)) << t;
        }
      });
}

TEST_P(PamiCollectives, Gathers) {
  std::vector<Words> out(n()), in(n());
  // Parts of different tasks lie the other way round.
  std::vector<size_t> counts(n(), count()), places(n());
  std::vector<int> int_counts(n(), static_cast<int>(count())), int_places(n());
  for (unsigned t = 0; t < n(); ++t) int_places[t] = static_cast<int>(places[t] = (n() - 1 - t) * count());
  for (int kind = 0; kind < 3; ++kind) {
    SCOPED_TRACE(kind);
    const pami_xfer_type_t types[] = {PAMI_XFER_GATHER, PAMI_XFER_GATHERV, PAMI_XFER_GATHERV_INT};
    each_algorithm(
        types[kind],
        [&](unsigned task, pami_collective_t& c) {
          out[task] = layout.spread(contribution(task));
          in[task] = layout.room(count() * n());
          if (kind == 0) {
            c.xfer_gather = {root(), bytes(out[task]), layout.type, count(), bytes(in[task]), layout.type, count()};
          } else if (kind == 1) {
            c.xfer_gatherv = {root(),          bytes(out[task]), layout.type,   count(),
                              bytes(in[task]), layout.type,      counts.data(), places.data()};
          } else {
            c.xfer_gatherv_int = {root(),          bytes(out[task]), layout.type,       static_cast<int>(count()),
                                  bytes(in[task]), layout.type,      int_counts.data(), int_places.data()};
          }
        },
        [&] { EXPECT_EQ(in[n() / 2], layout.spread(FOR_EACH(contribution(kind ? n() - 1 - other : other)))); });
  }
}

TEST_P(PamiCollectives, Scatters) {
  std::vector<Words> out(n()), in(n());
  std::vector<size_t> counts(n(), count()), places(n());
  std::vector<int> int_counts(n(), static_cast<int>(count())), int_places(n());
  for (unsigned t = 0; t < n(); ++t) int_places[t] = static_cast<int>(places[t] = (n() - 1 - t) * count());
  for (int kind = 0; kind < 3; ++kind) {
    SCOPED_TRACE(kind);
    const pami_xfer_type_t types[] = {PAMI_XFER_SCATTER, PAMI_XFER_SCATTERV, PAMI_XFER_SCATTERV_INT};
    each_algorithm(
        types[kind],
        [&](unsigned task, pami_collective_t& c) {
          out[task] = layout.spread(FOR_EACH(contribution(task, other)));
          in[task] = layout.room(count());
          if (kind == 0) {
            c.xfer_scatter = {root(), bytes(out[task]), layout.type, count(), bytes(in[task]), layout.type, count()};
          } else if (kind == 1) {
            c.xfer_scatterv = {root(),        bytes(out[task]), layout.type, counts.data(),
                               places.data(), bytes(in[task]),  layout.type, count()};
          } else {
            c.xfer_scatterv_int = {root(),
                                   bytes(out[task]),
                                   layout.type,
                                   int_counts.data(),
                                   int_places.data(),
                                   bytes(in[task]),
                                   layout.type,
                                   static_cast<int>(count())};
          }
        },
        [&] {
          for (unsigned t = 0; t < n(); ++t) {
            EXPECT_EQ(in[t], layout.spread(contribution(n() / 2, kind ? n() - 1 - t : t))) << t;
          }
        });
  }
}

TEST_P(PamiCollectives, Allgathers) {
  std::vector<Words> out(n()), in(n());
  std::vector<size_t> counts(n(), count()), places(n());
  std::vector<int> int_counts(n(), static_cast<int>(count())), int_places(n());
  for (unsigned t = 0; t < n(); ++t) int_places[t] = static_cast<int>(places[t] = (n() - 1 - t) * count());
  for (int kind = 0; kind < 3; ++kind) {
    SCOPED_TRACE(kind);
    const pami_xfer_type_t types[] = {PAMI_XFER_ALLGATHER, PAMI_XFER_ALLGATHERV, PAMI_XFER_ALLGATHERV_INT};
    each_algorithm(
        types[kind],
        [&](unsigned task, pami_collective_t& c) {
          out[task] = layout.spread(contribution(task));
          in[task] = layout.room(count() * n());
          if (kind == 0) {
            c.xfer_allgather = {bytes(out[task]), layout.type, count(), bytes(in[task]), layout.type, count()};
          } else if (kind == 1) {
            c.xfer_allgatherv = {bytes(out[task]), layout.type,   count(),      bytes(in[task]),
                                 layout.type,      counts.data(), places.data()};
          } else {
            c.xfer_allgatherv_int = {bytes(out[task]), layout.type,       static_cast<int>(count()), bytes(in[task]),
                                     layout.type,      int_counts.data(), int_places.data()};
          }
        },
        [&] {
          for (unsigned t = 0; t < n(); ++t) {
            EXPECT_EQ(in[t], layout.spread(FOR_EACH(contribution(kind ? n() - 1 - other : other)))) << t;
          }
        });
  }
}

TEST_P(PamiCollectives, Alltoalls) {
  std::vector<Words> out(n()), in(n());
  std::vector<size_t> counts(n(), count()), places(n());
  std::vector<int> int_counts(n(), static_cast<int>(count())), int_places(n());
  for (unsigned t = 0; t < n(); ++t) int_places[t] = static_cast<int>(places[t] = (n() - 1 - t) * count());
  for (int kind = 0; kind < 3; ++kind) {
    SCOPED_TRACE(kind);
    const pami_xfer_type_t types[] = {PAMI_XFER_ALLTOALL, PAMI_XFER_ALLTOALLV, PAMI_XFER_ALLTOALLV_INT};
    each_algorithm(
        types[kind],
        [&](unsigned task, pami_collective_t& c) {
          out[task] = layout.spread(FOR_EACH(contribution(task, other)));
          in[task] = layout.room(count() * n());
          if (kind == 0) {
            c.xfer_alltoall = {bytes(out[task]), layout.type, count(), bytes(in[task]), layout.type, count()};
          } else if (kind == 1) {
            c.xfer_alltoallv = {bytes(out[task]), layout.type, counts.data(), places.data(),
                                bytes(in[task]),  layout.type, counts.data(), places.data()};
          } else {
            c.xfer_alltoallv_int = {bytes(out[task]), layout.type, int_counts.data(), int_places.data(),
                                    bytes(in[task]),  layout.type, int_counts.data(), int_places.data()};
          }
        },
        [&] {
          for (unsigned t = 0; t < n(); ++t) {
            const Words expected = FOR_EACH(kind ? contribution(n() - 1 - other, n() - 1 - t) : contribution(other, t));
            EXPECT_EQ(in[t], layout.spread(expected)) << t;
          }
        });
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PamiCollectives,
                         testing::Values(Case{1, 3, false}, Case{2, 1, true}, Case{3, 0, false}, Case{3, 70, true},
                                         Case{5, 200, false}, Case{8, 9, false}, Case{13, 13, true},
                                         Case{16, 300, false}, Case{21, 2, false}));

}  // namespace
}  // namespace toroid_test
