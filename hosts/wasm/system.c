/* system.c - defines the WASI functions of the C library that toll.wasm does not need, so that it
 * does not import them.
 *
 * So toll.wasm imports only the few functions of WASI that toll/embedder.h names, whatever the C
 * library links. wasi-libc calls each WASI function by a symbol, which is an import unless it is
 * defined here. */
#include "event_clock.h"

#include <wasi/api.h>

double host_wasi_now(void)
{
    __wasi_timestamp_t now = 0;
    __wasi_errno_t failed = __wasi_clock_time_get(__WASI_CLOCKID_MONOTONIC, 1, &now);
    return failed ? 0 : (double)now;
}

#define SYSTEM(name) __imported_wasi_snapshot_preview1_##name

/* Define a function that is not supported. */
#define NOT_SUPPORTED(name, ...)                                                                   \
    int32_t SYSTEM(name)(__VA_ARGS__);                                                             \
    int32_t SYSTEM(name)(__VA_ARGS__)                                                              \
    {                                                                                              \
        return __WASI_ERRNO_NOTSUP;                                                                \
    }

#define P int32_t __attribute__((unused)) /* an unused parameter */
#define L int64_t __attribute__((unused))

NOT_SUPPORTED(fd_close, P a)
NOT_SUPPORTED(fd_fdstat_get, P a, P b)
NOT_SUPPORTED(fd_filestat_get, P a, P b)
NOT_SUPPORTED(fd_prestat_dir_name, P a, P b, P c)
NOT_SUPPORTED(fd_read, P a, P b, P c, P d)
NOT_SUPPORTED(fd_readdir, P a, P b, P c, L d, P e)
NOT_SUPPORTED(fd_seek, P a, L b, P c, P d)
NOT_SUPPORTED(path_filestat_get, P a, P b, P c, P d, P e)
NOT_SUPPORTED(path_open, P a, P b, P c, P d, P e, L f, L g, P h, P i)
NOT_SUPPORTED(path_rename, P a, P b, P c, P d, P e, P f)
NOT_SUPPORTED(path_unlink_file, P a, P b, P c)

/* There are no folders. */
int32_t SYSTEM(fd_prestat_get)(P fd, P to);
int32_t SYSTEM(fd_prestat_get)(P fd, P to)
{
    return __WASI_ERRNO_BADF;
}

/* There are no environment variables. */
int32_t SYSTEM(environ_get)(P to, P texts);
int32_t SYSTEM(environ_get)(P to, P texts)
{
    return __WASI_ERRNO_SUCCESS;
}

int32_t SYSTEM(environ_sizes_get)(int32_t count, int32_t size);
int32_t SYSTEM(environ_sizes_get)(int32_t count, int32_t size)
{
    *(__wasi_size_t *)count = 0;
    *(__wasi_size_t *)size = 0;
    return __WASI_ERRNO_SUCCESS;
}

_Noreturn void SYSTEM(proc_exit)(P status);
_Noreturn void SYSTEM(proc_exit)(P status)
{
    __builtin_trap();
}
