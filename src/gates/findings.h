/* findings.h - what a gate found wrong: one finding for each limit that was exceeded, of one line
 * that says what and by how much, and lines that say where it came from.
 *
 * Lines are kept as they are, with names out of files in them; they are escaped when printed. */
#ifndef TOLL_GATES_FINDINGS_H
#define TOLL_GATES_FINDINGS_H

#include "base/buffer.h"

#include <toll/profile.h>
#include <toll/stream.h>

typedef struct toll_finding {
    size_t file, first; /* in `text`: the file's name, and the first line, each with its NUL */
    uint32_t line;      /* of that file; 0: none */
    uint32_t lines;     /* how many lines it has */
} toll_finding;

typedef struct toll_findings {
    toll_mem mem;
    toll_buffer text;
    toll_finding *items;
    size_t count, capacity;
    bool failed; /* there was no memory */
} toll_findings;

void toll_findings_init(toll_findings *findings, const toll_mem *mem);
void toll_findings_free(toll_findings *findings);

/* Begin a finding, about a line of a file; file "" or line 0: of no known one. */
void toll_findings_begin(toll_findings *findings, const char *file, uint32_t line);

/* Write a line of the finding that was begun last: append its text to findings->text, without NUL,
 * then end it. */
void toll_findings_end_line(toll_findings *findings);

/* The same for a line that is formatted by itself. */
void toll_findings_line(toll_findings *findings, const char *format, ...) TOLL_PRINTF(2, 3);

/* Print them, each line behind "toll: ". */
void toll_findings_put(const toll_findings *findings, toll_output *out);

/* Print them as annotations of GitHub's: "::error file=...,line=...::...". Paths in `workspace`
 * (NULL: none) are printed as relative to it. */
void toll_findings_annotate(const toll_findings *findings, const char *workspace, toll_output *out);

/* Print them as Markdown. */
void toll_findings_markdown(const toll_findings *findings, toll_output *out);

#endif
