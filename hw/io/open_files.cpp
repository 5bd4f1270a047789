// SPDX-License-Identifier: Apache-2.0
#include "hw/io/open_files.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

namespace toroid {
namespace {

// Descriptors that the simulator needs itself: its own files, and directories on the way to a guest's.
constexpr std::size_t kReserved = 40;
constexpr std::size_t kLeast = 4;

std::size_t most_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return kLeast;
  const auto all = static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, 1 << 20));
  return all > kReserved + kLeast ? all - kReserved : kLeast;
}

}  // namespace

OpenFiles::OpenFiles(int root, std::size_t most) : root_(root), most_(most != 0 ? most : most_descriptors()) {}

OpenFiles::File::~File() {
  (host_ >= 0 ? files_.open_ : files_.closed_).erase(where_);
  if (host_ >= 0) ::close(host_);
}

std::shared_ptr<OpenFiles::File> OpenFiles::open(int directory, const std::string& name, const std::string& path,
                                                 int flags, mode_t mode, int& error) {
  make_room();
  const int host = ::openat(directory, name.c_str(), flags, mode);
  struct stat status {};
  if (host < 0 || ::fstat(host, &status) != 0) {
    error = errno == EMFILE ? -ENFILE : -errno;  // too many are kept, which is not the process's fault
    if (host >= 0) ::close(host);
    return nullptr;
  }
  auto file = std::make_shared<File>(*this);
  file->path_ = path;
  file->flags_ = flags & ~(O_CREAT | O_EXCL | O_TRUNC);
  file->kept_ = !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
  file->device_ = status.st_dev;
  file->number_ = status.st_ino;
  add(*file, host);
  return file;
}

void OpenFiles::add(File& file, int host) {
  open_.push_front(&file);
  file.where_ = open_.begin();
  file.host_ = host;
}

int OpenFiles::open_again(const File& file) const {
  const int host = ::openat(root_, file.path_.empty() ? "." : file.path_.c_str(), file.flags_);
  if (host < 0) return errno == EMFILE ? -ENFILE : -errno;
  struct stat status {};
  if (::fstat(host, &status) == 0 && status.st_dev == file.device_ && status.st_ino == file.number_) return host;
  ::close(host);
  return -ESTALE;
}

bool OpenFiles::close(File& file) {
  const int trial = file.kept_ ? -1 : open_again(file);
  if (trial < 0) {
    file.kept_ = true;
    return false;
  }
  ::close(trial);
  file.place_ = ::lseek(file.host_, 0, SEEK_CUR);
  ::close(file.host_);
  file.host_ = -1;
  closed_.splice(closed_.begin(), open_, file.where_);
  return true;
}

void OpenFiles::make_room() {
  for (auto next = open_.end(); open_.size() >= most_ && next != open_.begin();) {
    File& file = **std::prev(next);
    if (file.kept_ || !close(file)) --next;
  }
}

int OpenFiles::File::use() {
  if (host_ < 0) {
    files_.make_room();
    const int host = files_.open_again(*this);
    if (host < 0) return host;
    ::lseek(host, place_, SEEK_SET);
    files_.closed_.erase(where_);
    files_.add(*this, host);
  } else {
    files_.open_.splice(files_.open_.begin(), files_.open_, where_);
  }
  return host_;
}

int OpenFiles::File::set_append(bool append) {
  const int host = use();
  const int flags = host < 0 ? host : ::fcntl(host, F_GETFL);
  if (flags < 0 || ::fcntl(host, F_SETFL, append ? flags | O_APPEND : flags & ~O_APPEND) < 0)
    return host < 0 ? host : -errno;
  flags_ = append ? flags_ | O_APPEND : flags_ & ~O_APPEND;
  return 0;
}

int OpenFiles::keep(const std::string& path) {
  for (auto next = closed_.begin(); next != closed_.end();) {
    File& file = **next++;
    if (file.path_ != path) continue;
    const int host = file.use();
    if (host == -ENFILE) return host;
    file.kept_ = host >= 0;  // otherwise another program has removed it
  }
  for (File* const file : open_) file->kept_ = file->kept_ || file->path_ == path;
  return 0;
}

void OpenFiles::removed(const std::string& path) {
  for (File* const file : open_) file->removed_ = file->removed_ || file->path_ == path;
}

void OpenFiles::renamed(const std::string& from, const std::string& to) {
  for (const std::list<File*>* const files : {&open_, &closed_}) {
    for (File* const file : *files) {
      const bool below = file->path_.size() > from.size() && file->path_.compare(0, from.size(), from) == 0 &&
                         file->path_[from.size()] == '/';
      if (below || (file->path_ == from && !file->removed_)) file->path_ = to + file->path_.substr(from.size());
    }
  }
}

}  // namespace toroid
