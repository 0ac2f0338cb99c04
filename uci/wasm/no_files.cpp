#include <cerrno>

// There are no files. Without its file system Emscripten's own system calls for paths do nothing
// and return 0, so that every file seems to be there, with arbitrary contents: these say that there
// is none. The signatures are those of syscall_arch.h in Emscripten's musl.
extern "C" {

long __syscall_open(long /*path*/, long /*flags*/, ...) {
    return -ENOENT;
}
long __syscall_stat64(long /*path*/, long /*status*/) {
    return -ENOENT;
}
long __syscall_lstat64(long /*path*/, long /*status*/) {
    return -ENOENT;
}
long __syscall_fstatat64(long /*folder*/, long /*path*/, long /*status*/, long /*flags*/) {
    return -ENOENT;
}
long __syscall_rename(long /*from*/, long /*to*/) {
    return -ENOENT;
}
long __syscall_unlink(long /*path*/) {
    return -ENOENT;
}
long __syscall_rmdir(long /*path*/) {
    return -ENOENT;
}

}  // extern "C"
