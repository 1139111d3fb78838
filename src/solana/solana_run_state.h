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
    uint32_t stretch; /* the open one, or TOLL_NONE */
    uint32_t failed;  /* the item of the last invocation that it made, if that failed; TOLL_NONE */
    int64_t depth;    /* as the log says */
    int64_t remaining;
    uint32_t stretches; /* begun so far */
    uint32_t section_name;
    size_t first_section;
    uint32_t log_size;
    char log[SOLANA_LABEL_SIZE]; /* the beginning of its last log text */
} toll_solana_open;

struct toll_solana_run {
    toll_solana_tree tree;
    toll_solana_open *open;
    size_t open_count, open_capacity;
    toll_solana_section *sections; /* of the open invocations */
    size_t section_count, section_capacity;
    uint32_t *places; /* room for toll_solana_place */
    size_t place_capacity;
    toll_strtab reasons;
    uint64_t reason_counts[SOLANA_MOST_REASONS + 1];
    uint64_t invocations;
    uint32_t labels;
};

/* The open invocation that was begun last; NULL: none is open. */
static inline toll_solana_open *toll_solana_innermost(toll_solana_run *r)
{
    return r->open_count ? &r->open[r->open_count - 1] : NULL;
}

/* The innermost invocation has that many units left: its open stretch ends, and the next begins. */
bool toll_solana_take_remaining(toll_solana_run *r, const toll_solana_line *line);

/* Read what a program logs: sections, or a text that may name its instruction or a stretch. */
bool toll_solana_take_log(toll_solana_run *r, const toll_solana_line *line);

/* Read a line that is not the runtime's: sections, or nothing known, which is counted. */
bool toll_solana_take_noise(toll_solana_run *r, const toll_solana_line *line);

/* Read the section lines in text[size], a message of one or more lines. *any: there was one. */
bool toll_solana_take_sections(toll_solana_run *r, const char *text, size_t size, bool *any);

/* Nest the sections of `v`, which is the innermost invocation, and add them under it. */
bool toll_solana_add_sections(toll_solana_run *r, const toll_solana_open *v);

#endif
