// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/io/open_files.h"

namespace toroid {

/// The job's directory, held open, and the files that its processes have open in it: one for all of them, because a
/// host gives a program few descriptors.
class JobDirectory {
 public:
  /// `path` on the host; empty: no files at all. Throws std::runtime_error if it cannot be opened.
  /// `most_files`: of the host's descriptors that files may take; 0: as many as there are.
  /// `program`: the file that the job runs, on the host; programs read it as "/proc/self/exe". Empty: they cannot.
  explicit JobDirectory(const std::string& path, std::size_t most_files = 0, std::string program = "");
  JobDirectory(const JobDirectory&) = delete;
  JobDirectory& operator=(const JobDirectory&) = delete;
  ~JobDirectory();

  int descriptor() const { return descriptor_; }  ///< -1: no files
  OpenFiles& files() { return files_; }
  const std::string& program() const { return program_; }
  /// Makes the directory "tmp" if there is none: I/O nodes have one. It goes at the end if it was made here and nothing
  /// is in it.
  void make_temporary();

 private:
  int descriptor_;
  bool temporary_ = false;  ///< made here
  const std::string program_;
  OpenFiles files_;
};

/// What a directory holds under one name.
struct DirectoryEntry {
  std::string name;
  std::uint32_t number = 0;  ///< HostFiles::file_number()
  std::uint8_t type = 0;     ///< DT_ of Linux: bits 12 to 15 of the file's mode
};

/// The one place where a process's input and output meet the host: files below the job's directory.
///
/// To the process that directory is the root of everything: absolute paths and symbolic links are resolved inside it.
/// A path that leads out of it by ".." is refused (EACCES). Of what is outside, it can read the program's own file
/// ("/proc/self/exe"). Every function returns what its Linux namesake does, or a
/// negative errno.
class HostFiles {
 public:
  /// `directory` outlives this.
  explicit HostFiles(JobDirectory& directory);
  HostFiles(const HostFiles&) = delete;
  HostFiles& operator=(const HostFiles&) = delete;

  /// `flags` and `mode` as the host knows them. Descriptors are the process's: 0 to 2 are its standard input, output
  /// and error at first; the lowest free one is taken. Standard input is the simulator's, the others are no files of
  /// the host.
  int open(const std::string& path, int flags, unsigned mode);
  int close(int descriptor);
  /// The lowest free descriptor of `least` or more.
  int duplicate(int descriptor, int least);
  /// `to`, whatever it was.
  int duplicate_to(int descriptor, int to);
  std::int64_t read(int descriptor, void* to, std::size_t size);
  std::int64_t write(int descriptor, const void* from, std::size_t size);
  std::int64_t read_at(int descriptor, void* to, std::size_t size, std::int64_t offset);
  std::int64_t write_at(int descriptor, const void* from, std::size_t size, std::int64_t offset);
  /// In a directory the offset counts entries, from the beginning (SEEK_SET) or from where it stands.
  std::int64_t seek(int descriptor, std::int64_t offset, int whence);
  /// The entry where an open directory stands, in the order of names with "." and ".." first: the host's own order
  /// would make results differ. Returns nullptr at the end, or if `error` becomes a negative errno. What a directory
  /// holds is looked up when its beginning is read.
  const DirectoryEntry* entry(int descriptor, int& error);
  /// How many entries come before the one where it stands.
  std::int64_t entry_place(int descriptor) const;
  void skip_entry(int descriptor);
  int truncate(int descriptor, std::int64_t size);
  int truncate(const std::string& path, std::int64_t size);
  int status_of(int descriptor, struct stat& to);
  int status_of(const std::string& path, bool follow, struct stat& to);
  int access(const std::string& path, int mode);
  int unlink(const std::string& path);
  int remove_directory(const std::string& path);
  int make_directory(const std::string& path, unsigned mode);
  int rename(const std::string& from, const std::string& to);
  std::int64_t read_link(const std::string& path, char* to, std::size_t size);
  /// 0 to 2 where a descriptor is one of the standard streams, or -1.
  int standard_stream(int descriptor) const;
  /// The status flags (access mode, append) of a descriptor, or -EBADF.
  int flags_of(int descriptor) const;
  /// Whether writes go to the end; for all copies of the descriptor.
  int set_append(int descriptor, bool append);

  /// A path that begins in an open directory, as one from the job's directory; as it is where `directory` is -1 or the
  /// path is absolute. What the path of a directory leads to that was renamed meanwhile is not found.
  std::string from_directory(int directory, const std::string& path) const;

  /// The same small number for the same file of the host, in the order in which the process met them: the host's own
  /// inode numbers would make results differ from run to run.
  std::uint32_t file_number(const struct stat& status);

 private:
  /// A directory of the host, held open, and the last component of a path in it.
  struct Place {
    int directory = -1;
    std::string name;  ///< "." where the path is the directory itself
    std::string path;  ///< from the job's directory, without symbolic links before the last component
    int error = 0;     ///< negative errno
  };

  /// Walks `path` component by component. With `follow` a symbolic link as the last component is followed too.
  Place find(const std::string& path, bool follow);
  /// An open directory, shared by the copies of its descriptor.
  struct Listing {
    bool read = false;
    std::size_t place = 0;
    std::vector<DirectoryEntry> entries;
  };
  struct Open {
    std::shared_ptr<OpenFiles::File> file;  ///< nullptr: a standard stream
    int stream = -1;
    std::shared_ptr<Listing> listing = nullptr;  ///< of a directory
  };

  /// Returns nullptr if it is not open.
  const Open* find(int descriptor) const;
  /// The host's descriptor, or a negative errno: of a file.
  int host_descriptor(int descriptor) const;
  /// Returns nullptr if the descriptor is not a directory.
  Listing* listing(int descriptor) const;
  int list(int host, Listing& to);
  int add(const Open& open, int least);

  const int root_;
  JobDirectory& job_;
  OpenFiles& files_;
  std::map<int, Open> open_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> numbers_;
};

}  // namespace toroid
