/* console_windows.c - implements console.h on Windows: arguments, terminal and timer. */
#include "console.h"

#ifdef _WIN32

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <windows.h>

/* must come after windows.h */
#include <shellapi.h>

static void (*timer_work)(void);
static HANDLE timer;

/* The command line in UTF-8, in memory that is never freed. NULL: no memory; main's arguments are
 * used. */
static char **arguments(int *count)
{
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), count);
    char **list = wide ? calloc((size_t)*count + 1, sizeof *list) : NULL;
    for (int i = 0; list && i < *count; i++) {
        int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, NULL, 0, NULL, NULL);
        list[i] = calloc((size_t)size + 1, 1);
        if (!list[i])
            return NULL;
        WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, list[i], size, NULL, NULL);
    }
    LocalFree(wide);
    return list;
}

void toll_console_begin(int *argc, char ***argv)
{
    int count;
    char **list = arguments(&count);
    if (list) {
        *argc = count;
        *argv = list;
    }
    for (int fd = 0; fd <= TOLL_STDERR; fd++)
        _setmode(fd, _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
}

void toll_console_end_with_readers(void)
{
    /* Windows has no such signal: writing fails. */
}

bool toll_console_is_terminal(int fd)
{
    HANDLE handle = (HANDLE)_get_osfhandle(fd);
    DWORD mode;
    return GetConsoleMode(handle, &mode) &&
           SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

unsigned toll_console_width(int fd)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    HANDLE handle = (HANDLE)_get_osfhandle(fd);
    return GetConsoleScreenBufferInfo(handle, &info)
               ? (unsigned)(info.srWindow.Right - info.srWindow.Left + 1)
               : 0;
}

static void CALLBACK on_timer(void *unused, BOOLEAN fired)
{
    (void)unused;
    (void)fired;
    timer_work();
}

void toll_console_start_timer(void (*work)(void))
{
    timer_work = work;
    if (!CreateTimerQueueTimer(&timer, NULL, on_timer, NULL, 1000, 250, WT_EXECUTEINTIMERTHREAD))
        timer = NULL;
}

/* Waits for a call of `work` in progress. */
void toll_console_stop_timer(void)
{
    if (timer)
        DeleteTimerQueueTimer(NULL, timer, INVALID_HANDLE_VALUE);
    timer = NULL;
}

#endif
