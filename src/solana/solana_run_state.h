/* solana_run_state.h - the state of a run, which solana_run.c (lines and ends of invocations),
 * solana_run_logged.c (what programs log) and solana_run_sections.c (sections in their logs) share.
 */
#ifndef TOLL_SOLANA_SOLANA_RUN_STATE_H
#define TOLL_SOLANA_SOLANA_RUN_STATE_H

#include "solana/solana_tree.h"

enum { SOLANA_MOST_REASONS = 32 }; /* distinct reasons why transactions failed */

/* An invocation that has not ended. Its sections are those from first_section on. */
typedef struct toll_solana_open {
    uint32_t item;
    uint32_t stretch; /* the open stretch, or TOLL_NONE */
    uint32_t failed;  /* item of its last callee, if that failed; TOLL_NONE */
    int64_t depth;    /* depth in the log's line */
    int64_t remaining;
    uint32_t stretches;    /* begun so far */
    uint32_t section_name; /* of the section whose units come next; TOLL_NONE: not known */
    bool expects_place;    /* the last line was that name */
    size_t first_section;
    uint32_t log_size;
    char log[SOLANA_LABEL_SIZE]; /* the beginning of the text that it logged last */
} toll_solana_open;

struct toll_solana_run {
    toll_solana_tree tree;
    toll_solana_open *open;
    size_t open_count, open_capacity;
    toll_solana_section *sections; /* sections of all open invocations */
    size_t section_count, section_capacity;
    uint32_t *places; /* room for toll_solana_place */
    size_t place_capacity;
    toll_strtab reasons;
    uint64_t reason_counts[SOLANA_MOST_REASONS + 1];
    uint64_t invocations;
    uint32_t labels;
    bool has_ended; /* open[open_count] has ended, and no line of the runtime has followed */
};

/* The open invocation that was begun last; NULL: none is open. */
static inline toll_solana_open *toll_solana_innermost(toll_solana_run *r)
{
    return r->open_count ? &r->open[r->open_count - 1] : NULL;
}

/* The invocation whose sections the next lines are; NULL: none. Some runtimes log the sections of
 * an invocation directly after its end. */
static inline toll_solana_open *toll_solana_section_owner(toll_solana_run *r)
{
    return r->has_ended ? &r->open[r->open_count] : toll_solana_innermost(r);
}

/* A line follows that is not a section of the invocation that has just ended: that is complete. */
bool toll_solana_complete(toll_solana_run *r);

/* Handle the number of units that remain for the innermost invocation: its open stretch ends, and
 * the next begins. */
bool toll_solana_read_remaining(toll_solana_run *r, const toll_solana_line *line);

/* Handle a text that a program logs: sections, or a text that may name its instruction or a
 * stretch. */
bool toll_solana_read_logged(toll_solana_run *r, const toll_solana_line *line);

/* Handle a line that is not the runtime's: sections, or an unknown line, which is counted. */
bool toll_solana_read_noise(toll_solana_run *r, const toll_solana_line *line);

/* Parse the section lines in text[size], a message of one or more lines. *any: there was one. */
bool toll_solana_read_sections(toll_solana_run *r, const char *text, size_t size, bool *any);

/* Nest the sections of `v`, the innermost invocation, and add them to the tree under it. */
bool toll_solana_add_sections(toll_solana_run *r, const toll_solana_open *v);

#endif
