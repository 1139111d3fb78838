/* findings.h - collects the findings of a gate: one for each exceeded limit. The first line of a
 * finding says what and by how much, further lines show where it came from.
 *
 * Lines are stored unescaped, with names from files in them; they are escaped when printed. */
#ifndef TOLL_GATES_FINDINGS_H
#define TOLL_GATES_FINDINGS_H

#include "base/buffer.h"

#include <toll/profile.h>
#include <toll/stream.h>

typedef struct toll_finding {
    size_t file, first; /* offsets in `text`: the file's name, and the first line, each with a NUL
                         * after it */
    uint32_t line;      /* line number in that file; 0: none */
    uint32_t lines;     /* number of lines */
} toll_finding;

typedef struct toll_findings {
    toll_mem mem;
    toll_buffer text;
    toll_finding *items;
    size_t count, capacity;
    bool failed; /* no memory */
} toll_findings;

void toll_findings_init(toll_findings *findings, const toll_mem *mem);
void toll_findings_free(toll_findings *findings);

/* Begin a finding about a line of a file. With file "" or line 0 the place is not known. */
void toll_findings_begin(toll_findings *findings, const char *file, uint32_t line);

/* Write a line of the newest finding: append its text to findings->text, without NUL, then call
 * this. */
void toll_findings_end_line(toll_findings *findings);

/* Write a formatted line. */
void toll_findings_line(toll_findings *findings, const char *format, ...) TOLL_PRINTF(2, 3);

/* A line of a finding, from 0; unescaped. */
const char *toll_finding_line(const toll_findings *findings, const toll_finding *finding,
                              uint32_t line);

/* The finding's file relative to the folder `workspace` (NULL: none), if it is inside; "": the
 * place is not known. */
const char *toll_finding_path(const toll_findings *findings, const toll_finding *finding,
                              const char *workspace);

/* A path without "./", and relative to `workspace`, if it is inside. */
const char *toll_path_within(const char *workspace, const char *path);

/* Print the first `most` (0: all), each line after "toll: ", and how many more there are. */
void toll_findings_put(const toll_findings *findings, uint32_t most, toll_output *out);

/* Print the first `most` (0: all) as GitHub annotations: "::error file=...,line=...::...", and one
 * that counts the rest. Paths inside `workspace` (NULL: none) are printed relative to it. */
void toll_findings_annotate(const toll_findings *findings, const char *workspace, uint32_t most,
                            toll_output *out);

/* Print them as Markdown. */
void toll_findings_markdown(const toll_findings *findings, toll_output *out);

#endif
