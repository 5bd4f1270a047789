// SPDX-License-Identifier: Apache-2.0
//
// Objects: virtual bases, run-time types, function objects, static and thread-local ones.
#include <atomic>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <typeinfo>
#include <variant>
#include <vector>

namespace {

struct Root {
  explicit Root(int id) : id(id) {}
  virtual ~Root() = default;
  virtual std::string name() const = 0;
  int id;
};
struct Left : virtual Root {
  Left() : Root(1) {}
  double left = 1.5;
};
struct Right : virtual Root {
  Right() : Root(2) {}
  std::string name() const override { return "right"; }
  long long right = 1ll << 40;
};
struct Both : Left, Right {
  Both() : Root(3) {}
  std::string name() const override { return "both, after " + Right::name(); }
};

int order = 0;
struct Counted {
  Counted() : number(++order) {}
  int number;
};
Counted first, second;
const Counted& late() {
  static const Counted counted;
  return counted;
}

thread_local int local = 10;
std::atomic<int> ended{0};
struct AtEnd {
  ~AtEnd() { ended += local; }
};

int Root::*const member = &Root::id;

}  // namespace

int main() {
  const Both both;
  const Root& root = both;
  const auto* const right = dynamic_cast<const Right*>(&root);
  std::cout << root.name() << ' ' << root.id << ' ' << right->right << ' ' << both.left << ' ' << (right == nullptr)
            << ' ' << (dynamic_cast<const Left*>(right) == &both) << ' ' << (typeid(root) == typeid(Both)) << ' '
            << both.*member << '\n';
  std::cout << first.number << second.number << late().number << late().number << '\n';

  std::vector<std::function<double(double)>> functions;
  for (int i = 1; i < 5; ++i) functions.emplace_back([i, scale = i * 0.5](double x) { return x * scale + i; });
  functions.emplace_back(std::bind(std::plus<double>(), std::placeholders::_1, 100));
  double value = 1;
  for (const auto& function : functions) value = function(value);
  std::cout << value << '\n';

  using Value = std::variant<int, double, std::string>;
  for (const Value& each : {Value(3), Value(2.5), Value("text")})
    std::visit([](const auto& held) { std::cout << held << ' '; }, each);
  std::cout << '\n';

  std::vector<std::thread> threads;
  for (int i = 1; i < 4; ++i)
    threads.emplace_back([i] {
      thread_local AtEnd at_end;
      local += i;
      (void)&at_end;
    });
  for (std::thread& thread : threads) thread.join();
  std::promise<int> promise;
  std::future<int> answer = promise.get_future();
  std::thread other([&promise] { promise.set_value(local); });
  std::cout << answer.get() << ' ' << ended << ' ' << local << '\n';
  other.join();
  auto shared = std::make_shared<Both>();
  const std::weak_ptr<Root> weak = shared;
  const long owners = std::shared_ptr<Root>(shared).use_count();
  shared.reset();
  std::cout << owners << ' ' << weak.expired() << '\n';
  return 0;
}
