// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Base {
  virtual ~Base() = default;
  virtual std::string name() const = 0;
};
struct Derived : Base {
  std::string name() const override { return "derived"; }
};

int main() {
  std::vector<int> numbers;
  for (int i = 0; i < 1000; ++i) numbers.push_back(i * i);
  std::map<std::string, int> words{{"one", 1}, {"two", 2}};
  std::ostringstream text;
  for (const auto& [word, number] : words) text << word << '=' << number << ' ';
  std::cout << text.str() << numbers[999] << std::endl;
  try {
    std::cout << numbers.at(5000);
  } catch (const std::out_of_range&) {
    std::cout << "caught out_of_range\n";
  }
  const Base& base = Derived();
  std::cout << base.name() << ' ' << 0.1 + 0.2 << std::endl;
  throw std::runtime_error("nobody catches this");
}
