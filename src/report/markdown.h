/* markdown.h - writes parts of a text in Markdown that GitHub shows well. Names are data: they are
 * shown unchanged, and never become markup, a link or a mention. */
#ifndef TOLL_REPORT_MARKDOWN_H
#define TOLL_REPORT_MARKDOWN_H

#include <toll/profile.h>
#include <toll/stream.h>

/* Put a name as code, also in the cell of a table. A long name is cut in the middle. */
void toll_markdown_put_code(toll_output *out, const char *name);

/* The same without a cut: of names by which rows differ, such as those of tests. */
void toll_markdown_put_whole(toll_output *out, const char *name);

/* Put text that is no markup, in a line of its own. */
void toll_markdown_put_text(toll_output *out, const char *text, size_t size);

/* Put "3 more rows" below a table that is cut; nothing if `more` is 0. `what` is one of them. */
void toll_markdown_put_more(toll_output *out, uint32_t more, const char *what);

/* Put text of several lines unchanged, as HTML's <pre>; and the same line by line. */
void toll_markdown_put_pre(toll_output *out, const char *text, size_t size);
void toll_markdown_begin_pre(toll_output *out);
void toll_markdown_put_line(toll_output *out, const char *line, size_t size);
void toll_markdown_end_pre(toll_output *out);

/* Put "FILE:LINE" of a frame in a cell, with a long path cut at its front; nothing if it is not
 * known. */
void toll_markdown_put_where(toll_output *out, toll_frame frame);

/* Begin a collapsed part, which contains Markdown. `title` is not escaped. */
void toll_markdown_begin_details(toll_output *out, const char *title);
void toll_markdown_end_details(toll_output *out);

#endif
