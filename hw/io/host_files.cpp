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

namespace toroid {
namespace {

constexpr int kMaxLinks = 40;  // as Linux
constexpr int kFirstDescriptor = 3;
constexpr int kMaxDescriptors = 1024;

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

/// Directories from the root down to where a walk stands; the root is not ours to close.
class Stack {
 public:
  explicit Stack(int root) { held_.push_back(root); }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  ~Stack() { to_root(); }
  int top() const { return held_.back(); }
  void push(int directory) { held_.push_back(directory); }
  /// False at the root.
  bool pop() {
    if (held_.size() == 1) return false;
    ::close(held_.back());
    held_.pop_back();
    return true;
  }
  void to_root() {
    while (pop()) {
    }
  }

 private:
  std::vector<int> held_;
};

}  // namespace

JobDirectory::JobDirectory(const std::string& path) {
  if (path.empty()) return;
  descriptor_ = ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) throw std::runtime_error("job directory " + path + ": " + std::strerror(errno));
}

JobDirectory::~JobDirectory() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

HostFiles::HostFiles(const JobDirectory& directory) : root_(directory.descriptor()) {
  for (int stream = 0; stream < kFirstDescriptor; ++stream)
    open_[stream] = {-1, stream == 0 ? O_RDONLY : O_WRONLY, stream};
}

HostFiles::~HostFiles() {
  for (const auto& [descriptor, file] : open_) {
    if (file.host >= 0) ::close(file.host);
  }
}

HostFiles::Place HostFiles::find(const std::string& path, bool follow) {
  Place place;
  if (root_ < 0 || path.empty()) {
    place.error = -ENOENT;
    return place;
  }
  Stack stack(root_);
  std::deque<std::string> rest;
  push_components(rest, path);
  place.name = ".";
  for (int links = 0; !rest.empty();) {
    const std::string name = rest.front();
    rest.pop_front();
    if (name == ".") continue;
    if (name == "..") {
      if (stack.pop()) continue;
      place.error = -EACCES;
      return place;
    }
    char target[PATH_MAX];
    const ssize_t length = ::readlinkat(stack.top(), name.c_str(), target, sizeof target);
    if (length >= 0 && (follow || !rest.empty())) {
      if (++links > kMaxLinks || length == sizeof target) {
        place.error = -ELOOP;
        return place;
      }
      const std::string text(target, static_cast<std::size_t>(length));
      if (text[0] == '/') stack.to_root();
      push_components(rest, text);
      continue;
    }
    if (rest.empty()) {
      place.name = name;
      break;
    }
    const int next = ::openat(stack.top(), name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0) {
      place.error = -errno;
      return place;
    }
    stack.push(next);
  }
  place.directory = ::fcntl(stack.top(), F_DUPFD_CLOEXEC, 0);
  if (place.directory < 0) place.error = -errno;
  return place;
}

int HostFiles::host_descriptor(int descriptor) const {
  const auto found = open_.find(descriptor);
  return found == open_.end() ? -1 : found->second.host;
}

int HostFiles::standard_stream(int descriptor) const {
  const auto found = open_.find(descriptor);
  return found == open_.end() ? -1 : found->second.stream;
}

int HostFiles::add(const Open& open, int least) {
  for (int descriptor = least; descriptor < kMaxDescriptors; ++descriptor) {
    if (open_.emplace(descriptor, open).second) return descriptor;
  }
  if (open.host >= 0) ::close(open.host);
  return -EMFILE;
}

int HostFiles::open(const std::string& path, int flags, unsigned mode) {
  const bool exclusive = (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0;
  const Place place = find(path, (flags & O_NOFOLLOW) == 0 && !exclusive);
  if (place.error != 0) return place.error;
  // O_NONBLOCK: a FIFO in the job's directory must not stop the simulator.
  const int host = ::openat(place.directory, place.name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
                            mode & 0777);
  const int error = errno;
  ::close(place.directory);
  if (host < 0) return -error;
  struct stat status {};
  const bool directory = ::fstat(host, &status) == 0 && S_ISDIR(status.st_mode);
  return add({host, flags & O_ACCMODE, -1, directory ? std::make_shared<Listing>() : nullptr, path}, 0);
}

int HostFiles::close(int descriptor) {
  const auto found = open_.find(descriptor);
  if (found == open_.end()) return -EBADF;
  if (found->second.host >= 0) ::close(found->second.host);
  open_.erase(found);
  return 0;
}

int HostFiles::copy(int descriptor, Open& to) const {
  const auto found = open_.find(descriptor);
  if (found == open_.end()) return -EBADF;
  to = found->second;
  if (to.host >= 0) to.host = ::fcntl(to.host, F_DUPFD_CLOEXEC, 0);
  return to.stream < 0 && to.host < 0 ? -errno : 0;
}

int HostFiles::duplicate(int descriptor, int least) {
  if (least < 0 || least >= kMaxDescriptors) return -EINVAL;
  Open twin{};
  const int error = copy(descriptor, twin);
  return error != 0 ? error : add(twin, least);
}

int HostFiles::duplicate_to(int descriptor, int to) {
  if (to < 0 || to >= kMaxDescriptors) return -EBADF;
  if (to == descriptor) return open_.count(descriptor) != 0 ? to : -EBADF;
  Open twin{};
  if (const int error = copy(descriptor, twin)) return error;
  close(to);
  open_.emplace(to, twin);
  return to;
}

int HostFiles::flags_of(int descriptor) const {
  const auto found = open_.find(descriptor);
  if (found == open_.end()) return -EBADF;
  const int host = found->second.host < 0 ? 0 : ::fcntl(found->second.host, F_GETFL);
  return found->second.flags | (host & O_APPEND);
}

int HostFiles::set_append(int descriptor, bool append) {
  const int host = host_descriptor(descriptor);
  const int flags = ::fcntl(host, F_GETFL);
  if (flags < 0) return -errno;
  return static_cast<int>(checked(::fcntl(host, F_SETFL, append ? flags | O_APPEND : flags & ~O_APPEND)));
}

std::string HostFiles::from_directory(int directory, const std::string& path) const {
  const auto found = open_.find(directory);
  if (path.empty() || path[0] == '/' || found == open_.end()) return path;
  return found->second.path + "/" + path;
}

std::int64_t HostFiles::read(int descriptor, void* to, std::size_t size) {
  const int host = standard_stream(descriptor) == 0 ? STDIN_FILENO : host_descriptor(descriptor);
  return checked(::read(host, to, size));
}

std::int64_t HostFiles::write(int descriptor, const void* from, std::size_t size) {
  return checked(::write(host_descriptor(descriptor), from, size));
}

std::int64_t HostFiles::read_at(int descriptor, void* to, std::size_t size, std::int64_t offset) {
  return checked(::pread(host_descriptor(descriptor), to, size, offset));
}

std::int64_t HostFiles::write_at(int descriptor, const void* from, std::size_t size, std::int64_t offset) {
  return checked(::pwrite(host_descriptor(descriptor), from, size, offset));
}

std::int64_t HostFiles::seek(int descriptor, std::int64_t offset, int whence) {
  if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END) return -EINVAL;
  if (Listing* const here = listing(descriptor)) {
    const std::int64_t to = offset + (whence == SEEK_CUR ? static_cast<std::int64_t>(here->place) : 0);
    if (whence == SEEK_END || to < 0) return -EINVAL;
    here->place = static_cast<std::size_t>(to);
    here->read = here->read && to != 0;
    return to;
  }
  return checked(::lseek(host_descriptor(descriptor), offset, whence));
}

HostFiles::Listing* HostFiles::listing(int descriptor) const {
  const auto found = open_.find(descriptor);
  return found == open_.end() ? nullptr : found->second.listing.get();
}

int HostFiles::list(int host, Listing& to) {
  // Not a copy of the descriptor, which would share its place.
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
  return static_cast<int>(checked(::ftruncate(host_descriptor(descriptor), size)));
}

int HostFiles::status_of(int descriptor, struct stat& to) {
  return static_cast<int>(checked(::fstat(host_descriptor(descriptor), &to)));
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
  const auto result = checked(::unlinkat(place.directory, place.name.c_str(), 0));
  ::close(place.directory);
  return static_cast<int>(result);
}

int HostFiles::remove_directory(const std::string& path) {
  const Place place = find(path, false);
  if (place.error != 0) return place.error;
  const auto result = checked(::unlinkat(place.directory, place.name.c_str(), AT_REMOVEDIR));
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
  int result = target.error;
  if (result == 0) {
    result = static_cast<int>(
        checked(::renameat(source.directory, source.name.c_str(), target.directory, target.name.c_str())));
    ::close(target.directory);
  }
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
