// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <list>
#include <memory>
#include <string>

namespace toroid {

/// The files of the host that a job has open: as many as its processes like, of which the host has only some open at a
/// time, because it gives a program few descriptors. The least recently used are closed, and opened again where they
/// stood when they are needed.
///
/// What cannot be opened again, or would not be the same, stays open: a file that has been removed or that the host
/// would refuse now, and what is neither a regular file nor a directory. To know of removals and renamings, this must
/// be told of them.
class OpenFiles {
 public:
  /// One open file, shared by the copies of its descriptor. Closes it at the end.
  class File {
   public:
    explicit File(OpenFiles& files) : files_(files) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File();

    /// The host's descriptor, valid until another file is used; or a negative errno.
    int use();
    /// From the job's directory, without symbolic links; where it is now.
    const std::string& path() const { return path_; }
    /// O_ACCMODE and O_APPEND.
    int flags() const { return flags_; }
    int set_append(bool append);

   private:
    friend class OpenFiles;
    OpenFiles& files_;
    std::string path_;
    int flags_ = 0;
    int host_ = -1;         ///< -1: closed for the time being
    bool kept_ = false;     ///< never closed for the time being
    bool removed_ = false;  ///< what has its path now is something else
    dev_t device_ = 0;
    ino_t number_ = 0;
    off_t place_ = 0;                   ///< while it is closed
    std::list<File*>::iterator where_;  ///< in one of the lists
  };

  /// `root` is the job's directory. `most`: host descriptors that may be taken; 0: as many as the process may have,
  /// less what others need.
  explicit OpenFiles(int root, std::size_t most = 0);

  /// Opens `name` in the directory `directory`, which is `path` from the root. Returns nullptr if `error` becomes a
  /// negative errno.
  std::shared_ptr<File> open(int directory, const std::string& name, const std::string& path, int flags, mode_t mode,
                             int& error);
  /// `path` is about to be removed, or something else to take its place. A negative errno if the host has no
  /// descriptor for what is open there, which would then be lost.
  int keep(const std::string& path);
  /// That has happened: what was `path` has no name any more.
  void removed(const std::string& path);
  /// `from` has become `to`, and so has all below it.
  void renamed(const std::string& from, const std::string& to);

 private:
  /// Opens the file again.
  int open_again(const File& file) const;
  /// Closes files until there is room for one more, if it can.
  void make_room();
  /// False if that would lose the file.
  bool close(File& file);
  void add(File& file, int host);

  const int root_;
  const std::size_t most_;
  std::list<File*> open_;    ///< most recently used first
  std::list<File*> closed_;  ///< for the time being
};

}  // namespace toroid
