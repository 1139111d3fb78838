/* console.h - what the command itself needs of the operating system: its arguments, its terminal, a
 * timer. Implemented by console_posix.c, console_windows.c and console_wasi.c; each is empty on
 * other systems. */
#ifndef TOLL_CLI_CONSOLE_H
#define TOLL_CLI_CONSOLE_H

#include <stdbool.h>

enum { TOLL_STDOUT = 1, TOLL_STDERR = 2 }; /* descriptors */

/* Prepare this process; call it first. On Windows: arguments in UTF-8 instead of main's, streams of
 * bytes, escape sequences on the terminal. */
void toll_console_begin(int *argc, char ***argv);

/* If the reader of the output closes it (toll report x | head), end without a message, as other
 * programs do, even if the parent ignores SIGPIPE. */
void toll_console_end_with_readers(void);

/* Is the descriptor a terminal that shows escape sequences? */
bool toll_console_is_terminal(int fd);

/* The number of columns of the terminal; 0: not a terminal, or not known. */
unsigned toll_console_width(int fd);

/* Call `work` after a second and then four times a second, until toll_console_stop_timer. It may
 * interrupt this thread anywhere, or run at the same time: it must not allocate or lock. */
void toll_console_start_timer(void (*work)(void));
void toll_console_stop_timer(void);

#endif
