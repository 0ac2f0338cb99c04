#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// What the protocols need of the operating system's processes and streams; platform.cpp differs by
// system. tools/release/README.md lists the other files that do.
namespace uci::util {

/// The program's arguments without its name, in UTF-8.
std::vector<std::string> program_arguments(int count, char** arguments);

/// The folder of the program's file; empty where the system does not tell it.
std::filesystem::path program_folder();

/// Lets standard input and output carry bytes as they are, and UTF-8 to and from a console. Failed
/// writes are reported by write_output(), not by a signal. To be called once, before both are used.
void prepare_standard_streams();
/// Waits for input. The number of bytes read; 0 at the end, negative after an error.
std::ptrdiff_t read_input(char* data, std::size_t size);
/// The number of bytes written; negative after an error.
std::ptrdiff_t write_output(const char* data, std::size_t size);
/// The same for standard error. Unlike C's stderr it holds no lock while it waits.
std::ptrdiff_t write_error(const char* data, std::size_t size);

/// The folder for what programs of this user keep: "parley" in $XDG_DATA_HOME or ~/.local/share, on
/// Windows in %LOCALAPPDATA%. It may not exist. Empty where the environment does not tell it.
std::filesystem::path user_data_folder();

/// Opens the null device for each standard stream that is closed: a socket would get its number,
/// and what is written to the stream. To be called before other files are opened.
void open_missing_standard_streams();

/// Opens a file, which may be a pipe or a device, to write at its end. Never waits; a write that
/// would wait fails. Negative if it cannot be opened; errno has the reason.
int open_to_append(const std::string& path);
/// The number of bytes written; negative after an error.
std::ptrdiff_t write_file(int descriptor, const char* data, std::size_t size);
void close_file(int descriptor);

/// Whether somebody types standard input on a terminal.
bool standard_input_is_terminal();
/// Whether somebody watches standard error on a terminal.
bool standard_error_is_terminal();

/// Lets a write to a closed pipe or socket fail, where it would end the program otherwise.
void ignore_broken_pipes();

/// Makes new files readable by their owner only, where the system does not do so by itself.
void restrict_new_files();

/// Raises the process's limit of open files so that `wanted` connections can be open beside its
/// other files. Returns how many connections fit, at most `wanted`.
std::size_t raise_file_descriptor_limit(std::size_t wanted);

/// The number of this process.
long process_id();

/// How many processors this process may run on.
int usable_processors();

/// The memory of the machine in bytes; zeros if the system does not tell.
struct PhysicalMemory {
    std::uint64_t total = 0;
    std::uint64_t available = 0;  ///< the same as `total` where the system does not tell
};
PhysicalMemory physical_memory();

/// How many bytes of addresses this process may have, if that is limited.
std::optional<std::uint64_t> address_space_limit();

/// Whether the system lets this user run a file.
bool is_executable(const std::string& path);

}  // namespace uci::util
