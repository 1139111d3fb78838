/* console_wasi.c - implements console.h on WASI, which has arguments, but no terminal and no
 * timer. A program begins in the root there: if the caller says by PWD where it is itself, relative
 * paths begin there. */
#include "console.h"

#ifdef __wasi__

#include <stdlib.h>
#include <unistd.h>

void toll_console_begin(int *argc, char ***argv)
{
    const char *folder = getenv("PWD");
    (void)argc;
    (void)argv;
    if (folder && chdir(folder) != 0)
        return; /* it is not given to the program */
}

void toll_console_end_with_readers(void)
{
}

bool toll_console_is_terminal(int fd)
{
    return isatty(fd);
}

unsigned toll_console_width(int fd)
{
    (void)fd;
    return 0;
}

void toll_console_start_timer(void (*work)(void))
{
    (void)work;
}

void toll_console_stop_timer(void)
{
}

#endif
