/* complain.h - prints messages of the command on standard error, and defines its exit statuses. */
#ifndef TOLL_CLI_COMPLAIN_H
#define TOLL_CLI_COMPLAIN_H

#include <toll/error.h>

enum { TOLL_EXIT_OK = 0, TOLL_EXIT_BAD_INPUT = 1, TOLL_EXIT_USAGE = 2, TOLL_EXIT_OVER = 3 };

/* Print one line on standard error after "toll: ". Returns `status`. */
int toll_complain(int status, const char *format, ...) TOLL_PRINTF(2, 3);

/* The text of the last such line, or that of toll_keep_complaint, unescaped. */
const char *toll_complained(void);

/* Keep a text as if it had been such a line: it is printed in another way. */
void toll_keep_complaint(const char *text);

/* Print any line: `prefix` unchanged, `text` escaped for a terminal (base/printable.h). */
void toll_tell(const char *prefix, const char *text);

#endif
