#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>

// prctl takes a variable number of arguments, which Swift cannot call.

// Neither core files nor other processes of the same user get this process's memory.
// Returns 0, or -1 with errno.
static inline int stoa_protect_memory(void) {
    struct rlimit none = {0, 0};
    int code = setrlimit(RLIMIT_CORE, &none);
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 ? -1 : code;
}

// Gives the calling thread a nice value. Linux keeps one for each thread, against POSIX.
// Returns 0, or -1 with errno.
static inline int stoa_be_nice(int value) {
    return setpriority(PRIO_PROCESS, 0, value);
}

// The nice value of the calling thread.
static inline int stoa_niceness(void) {
    return getpriority(PRIO_PROCESS, 0);
}

// Lets this process open as many files as it may, up to `most`.
// Returns how many it may open now, or -1 with errno.
static inline long stoa_raise_files(long most) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return -1;
    rlim_t wanted = files.rlim_max < (rlim_t)most ? files.rlim_max : (rlim_t)most;
    if (files.rlim_cur >= wanted) return (long)files.rlim_cur;
    rlim_t before = files.rlim_cur;
    files.rlim_cur = wanted;
    return (long)(setrlimit(RLIMIT_NOFILE, &files) != 0 ? before : wanted);
}

// Declared by glibc 2.34 and later, to programs that ask for its extensions.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

// Gives a program that is started no files but its input and output.
// Returns 0, or an error's number.
static inline int stoa_close_other_files(posix_spawn_file_actions_t *actions) {
    return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}
