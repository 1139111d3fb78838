/* markdown.h - parts of a text in Markdown that GitHub shows well. Names are data: whatever they
 * have in them shows as it is, and makes no markup, no link and no mention. */
#ifndef TOLL_REPORT_MARKDOWN_H
#define TOLL_REPORT_MARKDOWN_H

#include <toll/profile.h>
#include <toll/stream.h>

/* A name as code, also in the cell of a table; a long one without its middle. */
void toll_markdown_put_code(toll_output *out, const char *name);

/* Text of several lines as HTML's <pre>, as it is; and the same line by line. */
void toll_markdown_put_pre(toll_output *out, const char *text, size_t size);
void toll_markdown_begin_pre(toll_output *out);
void toll_markdown_put_line(toll_output *out, const char *line, size_t size);
void toll_markdown_end_pre(toll_output *out);

/* "FILE:LINE" of a frame in a cell, without the front of a long path; nothing if it is not known.
 */
void toll_markdown_put_where(toll_output *out, toll_frame frame);

/* A part that is shown when somebody opens it: between the two is Markdown. `title` is plain. */
void toll_markdown_begin_details(toll_output *out, const char *title);
void toll_markdown_end_details(toll_output *out);

#endif
