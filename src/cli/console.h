/* console.h - what the command itself needs of the operating system: its arguments, its terminal, a
 * timer. console_posix.c has it, console_windows.c and console_wasi.c; each is empty elsewhere. */
#ifndef TOLL_CLI_CONSOLE_H
#define TOLL_CLI_CONSOLE_H

#include <stdbool.h>

enum { TOLL_STDOUT = 1, TOLL_STDERR = 2 }; /* descriptors */

/* Prepare this process; first of all. On Windows: arguments in UTF-8 instead of those of main,
 * streams of bytes, escape sequences on the terminal. */
void toll_console_begin(int *argc, char ***argv);

/* If the reader of our output closes it (toll report x | head), end without a message, as other
 * programs do, also where the parent ignores SIGPIPE. */
void toll_console_end_with_readers(void);

/* Is the descriptor a terminal that shows escape sequences? */
bool toll_console_is_terminal(int fd);

/* How many columns the terminal has; 0: the descriptor is no terminal, or it does not say. */
unsigned toll_console_width(int fd);

/* Call `work` after a second and then four times a second, until toll_console_stop_timer. It may
 * interrupt this thread anywhere, or run beside it: it may neither allocate nor lock. */
void toll_console_start_timer(void (*work)(void));
void toll_console_stop_timer(void);

#endif
