/* source_text.h - reads the lines of a source file in order, and prints them safely. For report/
 * only. */
#ifndef TOLL_REPORT_SOURCE_TEXT_H
#define TOLL_REPORT_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <toll/stream.h>

/* At the beginning, line is 0. */
typedef struct toll_source_text {
    const char *text; /* the text after the current line; NULL: there is no source */
    size_t size;
    const char *line_text; /* the current line without its end; not terminated */
    size_t line_size;
    uint32_t line; /* its number, from 1 */
} toll_source_text;

/* Go to a line after the current one, or stay at it. False: the file ends before. */
bool toll_source_go(toll_source_text *source, uint32_t line);

/* Print `before` and the current line, unless it is blank: tabs as blanks up to the next multiple
 * of 8 columns, characters that could control a terminal as escapes. A long line is cut. */
void toll_source_put(const toll_source_text *source, const char *before, toll_output *out);

#endif
