// SPDX-License-Identifier: Apache-2.0
#include "hw/io/host_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <vector>

#include "hw/io/io_call.h"

namespace toroid {
namespace {

constexpr int kMaxLinks = 40;  // as Linux
constexpr int kFirstDescriptor = 3;
constexpr int kMaxDescriptors = kMostDescriptors;

constexpr const char* kTemporary = "tmp";
const std::string kProgram = "/proc/self/exe";

/// Whether an absolute path names /tmp or leads through it.
bool is_temporary(const std::string& path) {
  return path.compare(0, 4, "/tmp") == 0 && (path.size() == 4 || path[4] == '/');
}

std::int64_t checked(std::int64_t result) {
  return result < 0 ? -errno : result;
}

void push_components(std::deque<std::string>& to, const std::string& path) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at <= path.size()) {
    const std::size_t slash = std::min(path.find('/', at), path.size());
    if (slash > at) parts.push_back(path.substr(at, slash - at));
    at = slash + 1;
  }
  to.insert(to.begin(), parts.begin(), parts.end());
}

/// Where a walk stands: the names from the root down, of which the last few are held open as well. The root is not ours
/// to close.
class Walk {
 public:
  explicit Walk(int root) : root_(root) {}
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;
  ~Walk() { to_root(); }

  /// The directory, or a negative errno.
  int top() {
    if (names_.empty()) return root_;
    if (!held_.empty()) return held_.back();
    // Above the directories that are held open: walk down again, by the same names.
    for (const std::string& name : names_) {
      const int next = step(held_.empty() ? root_ : held_.back(), name);
      if (next < 0) return next;
      hold(next);
    }
    return held_.back();
  }
  /// Into `name`, a directory and no symbolic link; a negative errno if it is none.
  int enter(const std::string& name) {
    const int here = top();
    const int next = here < 0 ? here : step(here, name);
    if (next < 0) return next;
    names_.push_back(name);
    hold(next);
    return 0;
  }
  /// False at the root.
  bool leave() {
    if (names_.empty()) return false;
    names_.pop_back();
    if (!held_.empty()) {
      ::close(held_.back());
      held_.pop_back();
    }
    return true;
  }
  void to_root() {
    while (leave()) {
    }
  }
  std::string path() const {
    std::string text;
    for (const std::string& name : names_) text += (text.empty() ? "" : "/") + name;
    return text;
  }

 private:
  static constexpr std::size_t kMostHeld = 8;

  static int step(int from, const std::string& name) {
    const int next = ::openat(from, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return next < 0 ? -errno : next;
  }
  void hold(int directory) {
    held_.push_back(directory);
    if (held_.size() <= kMostHeld) return;
    ::close(held_.front());
    held_.pop_front();
  }

  const int root_;
  std::vector<std::string> names_;
  std::deque<int> held_;
};

int open_root(const std::string& path) {
  if (path.empty()) return -1;
  const int root = ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) throw std::runtime_error("job directory " + path + ": " + std::strerror(errno));
  return root;
}

}  // namespace

JobDirectory::JobDirectory(const std::string& path, std::size_t most_files, std::string program)
    : descriptor_(open_root(path)), program_(std::move(program)), files_(descriptor_, most_files) {}

JobDirectory::~JobDirectory() {
  if (temporary_) ::unlinkat(descriptor_, kTemporary, AT_REMOVEDIR);
  if (descriptor_ >= 0) ::close(descriptor_);
}

void JobDirectory::make_temporary() {
  if (::mkdirat(descriptor_, kTemporary, 0777) == 0) temporary_ = true;
}

HostFiles::HostFiles(JobDirectory& directory)
    : root_(directory.descriptor()), job_(directory), files_(directory.files()) {
  for (int stream = 0; stream < kFirstDescriptor; ++stream) open_[stream] = {nullptr, stream};
}

HostFiles::Place HostFiles::find(const std::string& path, bool follow) {
  Place place;
  if (root_ < 0 || path.empty()) {
    place.error = -ENOENT;
    return place;
  }
  if (follow && path == kProgram && !job_.program().empty()) {
    place.directory = ::fcntl(root_, F_DUPFD_CLOEXEC, 0);  // which an absolute name does not need
    if (place.directory < 0) place.error = -errno;
    place.name = job_.program();
    place.path = path.substr(1);
    return place;
  }
  if (is_temporary(path)) job_.make_temporary();
  Walk walk(root_);
  std::deque<std::string> rest;
  push_components(rest, path);
  place.name = ".";
  for (int links = 0; !rest.empty();) {
    const std::string name = rest.front();
    rest.pop_front();
    if (name == ".") continue;
    if (name == "..") {
      if (walk.leave()) continue;
      place.error = -EACCES;
      return place;
    }
    char target[PATH_MAX];
    const int here = walk.top();
    const ssize_t length = here < 0 ? -1 : ::readlinkat(here, name.c_str(), target, sizeof target);
    if (length >= 0 && (follow || !rest.empty())) {
      if (++links > kMaxLinks || length == sizeof target) {
        place.error = -ELOOP;
        return place;
      }
      const std::string text(target, static_cast<std::size_t>(length));
      if (text[0] == '/') walk.to_root();
      push_components(rest, text);
      continue;
    }
    if (rest.empty()) {
      place.name = name;
      break;
    }
    place.error = walk.enter(name);
    if (place.error != 0) return place;
  }
  const int here = walk.top();
  place.directory = here < 0 ? here : ::fcntl(here, F_DUPFD_CLOEXEC, 0);
  if (place.directory < 0) place.error = here < 0 ? here : -errno;
  place.path = walk.path();
  if (place.name != ".") place.path += (place.path.empty() ? "" : "/") + place.name;
  return place;
}

const HostFiles::Open* HostFiles::find(int descriptor) const {
  const auto found = open_.find(descriptor);
  return found == open_.end() ? nullptr : &found->second;
}

int HostFiles::host_descriptor(int descriptor) const {
  const Open* const open = find(descriptor);
  return open == nullptr || open->file == nullptr ? -EBADF : open->file->use();
}

int HostFiles::standard_stream(int descriptor) const {
  const Open* const open = find(descriptor);
  return open == nullptr ? -1 : open->stream;
}

int HostFiles::add(const Open& open, int least) {
  for (int descriptor = least; descriptor < kMaxDescriptors; ++descriptor) {
    if (open_.emplace(descriptor, open).second) return descriptor;
  }
  return -EMFILE;
}

int HostFiles::open(const std::string& path, int flags, unsigned mode) {
  if (open_.size() >= kMaxDescriptors) return -EMFILE;  // before it has created anything
  const bool exclusive = (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0;
  const Place place = find(path, (flags & O_NOFOLLOW) == 0 && !exclusive);
  if (place.error != 0) return place.error;
  if (place.name == job_.program() && !place.name.empty() && ((flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC))) {
    ::close(place.directory);
    return -ETXTBSY;
  }
  int error = 0;
  // O_NONBLOCK: a FIFO in the job's directory must not stop the simulator.
  const auto file = files_.open(place.directory, place.name, place.path,
                                flags | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode & 0777, error);
  ::close(place.directory);
  if (file == nullptr) return error;
  struct stat status {};
  const bool directory = ::fstat(file->use(), &status) == 0 && S_ISDIR(status.st_mode);
  return add({file, -1, directory ? std::make_shared<Listing>() : nullptr}, 0);
}

int HostFiles::close(int descriptor) {
  return open_.erase(descriptor) == 0 ? -EBADF : 0;
}

int HostFiles::duplicate(int descriptor, int least) {
  if (least < 0 || least >= kMaxDescriptors) return -EINVAL;
  const Open* const open = find(descriptor);
  return open == nullptr ? -EBADF : add(Open(*open), least);
}

int HostFiles::duplicate_to(int descriptor, int to) {
  if (to < 0 || to >= kMaxDescriptors) return -EBADF;
  const Open* const open = find(descriptor);
  if (open == nullptr) return -EBADF;
  if (to != descriptor) open_[to] = Open(*open);
  return to;
}

int HostFiles::flags_of(int descriptor) const {
  const Open* const open = find(descriptor);
  if (open == nullptr) return -EBADF;
  if (open->file == nullptr) return open->stream == 0 ? O_RDONLY : O_WRONLY;
  return open->file->flags() & (O_ACCMODE | O_APPEND);
}

int HostFiles::set_append(int descriptor, bool append) {
  const Open* const open = find(descriptor);
  return open == nullptr || open->file == nullptr ? -EBADF : open->file->set_append(append);
}

std::string HostFiles::from_directory(int directory, const std::string& path) const {
  const Open* const open = find(directory);
  if (path.empty() || path[0] == '/' || open == nullptr || open->file == nullptr) return path;
  return open->file->path() + "/" + path;
}

std::int64_t HostFiles::read(int descriptor, void* to, std::size_t size) {
  const int host = standard_stream(descriptor) == 0 ? STDIN_FILENO : host_descriptor(descriptor);
  return host < 0 ? host : checked(::read(host, to, size));
}

std::int64_t HostFiles::write(int descriptor, const void* from, std::size_t size) {
  const int host = host_descriptor(descriptor);
  return host < 0 ? host : checked(::write(host, from, size));
}

std::int64_t HostFiles::read_at(int descriptor, void* to, std::size_t size, std::int64_t offset) {
  const int host = host_descriptor(descriptor);
  return host < 0 ? host : checked(::pread(host, to, size, offset));
}

std::int64_t HostFiles::write_at(int descriptor, const void* from, std::size_t size, std::int64_t offset) {
  const int host = host_descriptor(descriptor);
  return host < 0 ? host : checked(::pwrite(host, from, size, offset));
}

std::int64_t HostFiles::seek(int descriptor, std::int64_t offset, int whence) {
  if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END) return -EINVAL;
  if (Listing* const here = listing(descriptor)) {
    const auto place = static_cast<std::int64_t>(whence == SEEK_CUR ? here->place : 0);
    std::int64_t to = 0;
    if (whence == SEEK_END || __builtin_add_overflow(offset, place, &to) || to < 0) return -EINVAL;
    here->place = static_cast<std::size_t>(to);
    here->read = here->read && to != 0;
    return to;
  }
  const int host = host_descriptor(descriptor);
  return host < 0 ? host : checked(::lseek(host, offset, whence));
}

HostFiles::Listing* HostFiles::listing(int descriptor) const {
  const Open* const open = find(descriptor);
  return open == nullptr ? nullptr : open->listing.get();
}

int HostFiles::list(int host, Listing& to) {
  if (host < 0) return host;
  // Not a copy of the descriptor, which would share its offset.
  const int again = ::openat(host, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (again < 0) return -errno;
  DIR* const directory = ::fdopendir(again);
  if (directory == nullptr) {
    const int error = errno;
    ::close(again);
    return -error;
  }
  std::vector<std::string> names{".", ".."};
  while (const dirent* const next = ::readdir(directory)) {
    const std::string name = next->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  std::sort(names.begin() + 2, names.end());
  struct stat root {
  }, here{};
  const bool is_root = ::fstat(root_, &root) == 0 && ::fstat(again, &here) == 0 && root.st_dev == here.st_dev &&
                       root.st_ino == here.st_ino;
  to.entries.clear();
  for (const std::string& name : names) {
    // The job's directory has nothing above it.
    const std::string looked_up = is_root && name == ".." ? "." : name;
    struct stat status {};
    if (::fstatat(again, looked_up.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;  // gone meanwhile
    to.entries.push_back({name, file_number(status), static_cast<std::uint8_t>((status.st_mode & S_IFMT) >> 12)});
  }
  ::closedir(directory);
  to.read = true;
  return 0;
}

const DirectoryEntry* HostFiles::entry(int descriptor, int& error) {
  Listing* const here = listing(descriptor);
  error = here == nullptr ? -ENOTDIR : 0;
  if (here != nullptr && !here->read) error = list(host_descriptor(descriptor), *here);
  return error == 0 && here->place < here->entries.size() ? &here->entries[here->place] : nullptr;
}

std::int64_t HostFiles::entry_place(int descriptor) const {
  const Listing* const here = listing(descriptor);
  return here == nullptr ? 0 : static_cast<std::int64_t>(here->place);
}

void HostFiles::skip_entry(int descriptor) {
  if (Listing* const here = listing(descriptor)) ++here->place;
}

int HostFiles::truncate(int descriptor, std::int64_t size) {
  const int host = host_descriptor(descriptor);
  return host < 0 ? host : static_cast<int>(checked(::ftruncate(host, size)));
}

int HostFiles::truncate(const std::string& path, std::int64_t size) {
  const int descriptor = open(path, O_WRONLY, 0);
  if (descriptor < 0) return descriptor;
  const int result = truncate(descriptor, size);
  close(descriptor);
  return result;
}

int HostFiles::status_of(int descriptor, struct stat& to) {
  const int host = host_descriptor(descriptor);
  return host < 0 ? host : static_cast<int>(checked(::fstat(host, &to)));
}

int HostFiles::status_of(const std::string& path, bool follow, struct stat& to) {
  const Place place = find(path, follow);
  if (place.error != 0) return place.error;
  const auto result = checked(::fstatat(place.directory, place.name.c_str(), &to, AT_SYMLINK_NOFOLLOW));
  ::close(place.directory);
  return static_cast<int>(result);
}

int HostFiles::access(const std::string& path, int mode) {
  const Place place = find(path, true);
  if (place.error != 0) return place.error;
  const auto result = checked(::faccessat(place.directory, place.name.c_str(), mode, 0));
  ::close(place.directory);
  return static_cast<int>(result);
}

int HostFiles::unlink(const std::string& path) {
  const Place place = find(path, false);
  if (place.error != 0) return place.error;
  const int lost = files_.keep(place.path);
  const auto result = lost != 0 ? lost : checked(::unlinkat(place.directory, place.name.c_str(), 0));
  if (result == 0) files_.removed(place.path);
  ::close(place.directory);
  return static_cast<int>(result);
}

int HostFiles::remove_directory(const std::string& path) {
  const Place place = find(path, false);
  if (place.error != 0) return place.error;
  const int lost = files_.keep(place.path);
  const auto result = lost != 0 ? lost : checked(::unlinkat(place.directory, place.name.c_str(), AT_REMOVEDIR));
  if (result == 0) files_.removed(place.path);
  ::close(place.directory);
  return static_cast<int>(result);
}

int HostFiles::make_directory(const std::string& path, unsigned mode) {
  const Place place = find(path, false);
  if (place.error != 0) return place.error;
  const auto result = checked(::mkdirat(place.directory, place.name.c_str(), mode & 0777));
  ::close(place.directory);
  return static_cast<int>(result);
}

int HostFiles::rename(const std::string& from, const std::string& to) {
  const Place source = find(from, false);
  if (source.error != 0) return source.error;
  const Place target = find(to, false);
  int result = target.error != 0 ? target.error : files_.keep(target.path);
  if (result == 0) {
    result = static_cast<int>(
        checked(::renameat(source.directory, source.name.c_str(), target.directory, target.name.c_str())));
    if (result == 0 && source.path != target.path) {
      files_.removed(target.path);
      files_.renamed(source.path, target.path);
    }
  }
  if (target.error == 0) ::close(target.directory);
  ::close(source.directory);
  return result;
}

std::int64_t HostFiles::read_link(const std::string& path, char* to, std::size_t size) {
  const Place place = find(path, false);
  if (place.error != 0) return place.error;
  const auto result = checked(::readlinkat(place.directory, place.name.c_str(), to, size));
  ::close(place.directory);
  return result;
}

std::uint32_t HostFiles::file_number(const struct stat& status) {
  const auto next = static_cast<std::uint32_t>(numbers_.size() + 1);
  return numbers_.emplace(std::make_pair(status.st_dev, status.st_ino), next).first->second;
}

}  // namespace toroid
