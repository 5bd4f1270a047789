// SPDX-License-Identifier: Apache-2.0
// A program of the C++ library: streams, containers, an exception.
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

int main() {
  std::vector<int> numbers(10);
  std::iota(numbers.begin(), numbers.end(), 1);
  try {
    throw std::runtime_error("hello from C++");
  } catch (const std::exception& error) {
    std::cout << error.what() << ", sum " << std::accumulate(numbers.begin(), numbers.end(), 0) << std::endl;
  }
}
