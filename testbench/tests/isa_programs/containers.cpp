// SPDX-License-Identifier: Apache-2.0
//
// Containers, algorithms, strings and streams of the standard library.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <numeric>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

int main() {
  std::mt19937_64 random(4711);
  std::vector<std::uint64_t> numbers(2000);
  std::generate(numbers.begin(), numbers.end(), [&random] { return random() % 100000; });
  std::map<std::uint64_t, unsigned> counts;
  std::unordered_map<std::string, std::uint64_t> words;
  for (const std::uint64_t number : numbers) {
    ++counts[number % 97];
    words["w" + std::to_string(number % 50)] += number;
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::cout << numbers.size() << ' ' << numbers[numbers.size() / 2] << ' ' << counts.size() << ' ' << counts[13]
            << '\n';
  const std::set<std::pair<std::string, std::uint64_t>> ordered(words.begin(), words.end());
  for (const auto& [word, sum] : ordered) std::cout << word << '=' << sum << ' ';
  std::cout << '\n' << std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0}) << '\n';
  std::deque<int> both;
  std::list<std::string> list;
  for (int i = 0; i < 50; ++i)
    i % 2 == 0 ? both.push_back(i) : both.push_front(i), list.push_back(std::to_string(i * i));
  list.sort(std::greater<>());
  std::cout << both.front() << both.back() << ' ' << list.front() << ' ' << std::hex << std::setw(8)
            << std::setfill('0') << 48879 << std::dec << ' ' << std::fixed << std::setprecision(3) << 2.0 / 3 << ' '
            << std::scientific << 1e-5 << '\n';
  std::istringstream text("3 4.5 word rest of line");
  int whole = 0;
  double fraction = 0;
  std::string word, rest;
  text >> whole >> fraction >> word;
  std::getline(text, rest);
  std::cout << whole + fraction << word << rest << '\n';
  const std::string dates = "2007-06-26, 2011-11-14";
  const std::regex month("(\\d+)-(\\d+)");
  for (std::sregex_iterator at(dates.begin(), dates.end(), month), end; at != end; ++at)
    std::cout << (*at)[2] << '/' << (*at)[1] << ' ';
  std::cout << '\n';
  return 0;
}
