/* mutate_reach.c - records which functions a test enters, for scripts/mutate. It is linked to all
 * code that is compiled with -finstrument-functions. Writes a line "MODULE OFFSET" to the file
 * MUTATE_REACH when a function is first entered. The file is opened before the command confines
 * itself. System calls are made directly: a test may have put functions in the place of the C
 * library's. */
#define _GNU_SOURCE /* dladdr, syscall */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SLOTS = 1 << 16 }; /* more than there are functions */

static _Atomic(uintptr_t) seen[SLOTS];
static int out = -1;
static char program[4096]; /* the running one, which dladdr calls as the shell did */

__attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("MUTATE_REACH");
    if (!name)
        return;
    out = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        abort();
}

static int is_new(uintptr_t at)
{
    for (uint32_t slot = (uint32_t)(at >> 2) * 2654435761u;; slot++) {
        _Atomic(uintptr_t) *here = &seen[slot % SLOTS];
        uintptr_t there = atomic_load_explicit(here, memory_order_relaxed);
        if (there == at)
            return 0;
        if (there == 0 && atomic_compare_exchange_strong(here, &there, at))
            return 1;
        if (there == at)
            return 0;
    }
}

void __cyg_profile_func_enter(void *function, void *site)
{
    (void)site;
    if (out < 0 || !is_new((uintptr_t)function))
        return;
    int kept = errno;
    Dl_info module;
    if (dladdr(function, &module)) {
        char line[4200];
        int n = snprintf(line, sizeof line, "%s %zx\n",
                         strchr(module.dli_fname, '/') ? module.dli_fname : program,
                         (size_t)((uintptr_t)function - (uintptr_t)module.dli_fbase));
        if (n > 0 && syscall(SYS_write, out, line, (size_t)n) != n)
            abort();
    }
    errno = kept;
}

void __cyg_profile_func_exit(void *function, void *site)
{
    (void)function;
    (void)site;
}
