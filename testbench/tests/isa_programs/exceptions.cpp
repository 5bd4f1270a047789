// SPDX-License-Identifier: Apache-2.0
//
// Exceptions: through frames and destructors, by base class, thrown again, nested, between threads.
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Noisy {
  explicit Noisy(int number) : number_(number) {}
  ~Noisy() { std::cout << '~' << number_ << ' '; }
  int number_;
};

struct Special : std::runtime_error {
  Special(const std::string& what, double value) : std::runtime_error(what), value(value) {}
  double value;
};

[[gnu::noinline]] double deep(int depth, double value) {
  const Noisy noisy(depth);
  if (depth == 0) throw Special("at the bottom", value);
  return deep(depth - 1, value * 1.5) + noisy.number_;
}

void nested() {
  try {
    try {
      deep(2, 3);
    } catch (...) {
      std::throw_with_nested(std::logic_error("outer"));
    }
  } catch (const std::logic_error& error) {
    std::cout << error.what();
    try {
      std::rethrow_if_nested(error);
    } catch (const Special& inner) {
      std::cout << " around " << inner.what() << ' ' << inner.value << '\n';
    }
  }
}

struct Member {
  Member() { throw 42; }
};
struct Whole {
  Noisy first{100};
  Member second;
};

int function_try(int value) try {
  if (value > 2) throw value;
  return value;
} catch (int caught) {
  return -caught;
}

}  // namespace

int main() {
  double kept = 0.5;
  for (int depth = 0; depth < 4; ++depth) {
    try {
      kept += deep(depth, 2);
    } catch (const std::exception& error) {
      const auto* const special = dynamic_cast<const Special*>(&error);
      std::cout << error.what() << ' ' << (special != nullptr ? special->value : -1) << ' ' << kept << '\n';
    }
  }
  nested();
  try {
    const Whole whole;
  } catch (int number) {
    std::cout << number << '\n';
  }
  std::cout << function_try(1) << function_try(5) << '\n';
  try {
    std::vector<int>(3).at(7) = 1;
  } catch (const std::out_of_range&) {
    std::cout << "out of range\n";
  }
  try {
    volatile std::size_t much = ~std::size_t{0} / 4;
    std::unique_ptr<char[]> none(new char[much]);
  } catch (const std::bad_alloc&) {
    std::cout << "no memory\n";
  }
  std::exception_ptr carried;
  std::thread other([&carried] {
    try {
      deep(1, 8);
    } catch (...) {
      carried = std::current_exception();
    }
  });
  other.join();
  try {
    std::rethrow_exception(carried);
  } catch (const Special& special) {
    std::cout << "from a thread " << special.value << '\n';
  }
  return 0;
}
