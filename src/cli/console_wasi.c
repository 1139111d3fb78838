/* console_wasi.c - implements console.h on WASI, which has arguments, but no terminal and no
 * timer. */
#include "console.h"

#ifdef __wasi__

#include <unistd.h>

void toll_console_begin(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
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
