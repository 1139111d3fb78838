/* snapshots.h - loads snapshots of one program, and prints how it developed: toll diff of more than
 * two files, and --leaks. */
#ifndef TOLL_CLI_SNAPSHOTS_H
#define TOLL_CLI_SNAPSHOTS_H

#include "job.h"

#include "base/strtab.h"

typedef struct toll_snapshots {
    toll_mem mem;
    size_t count, room;       /* `room`: of the arrays */
    toll_profile **items;     /* in the order of time; older ones are aligned to the last */
    const char **titles;      /* "memory-1.pb.gz" */
    toll_strtab texts;        /* titles that are not names of files */
    bool are_ages;            /* they are the blocks of one heap by age */
    const char *first, *last; /* the files' titles; `last` NULL: there is one file */
} toll_snapshots;

/* Load the files, two at least. Free them also after a failure. Returns an exit status, after a
 * message if it failed. */
int toll_snapshots_load(toll_job *job, int count, char **paths, toll_snapshots *out);

/* Load a file whose blocks have an age, and divide it by that. The same. */
#define TOLL_SNAPSHOT_LABEL                                                                        \
    "snapshot" /* its value: which snapshot was the first to have a block                          \
                */
int toll_snapshots_load_ages(toll_job *job, const char *path, toll_snapshots *out);

void toll_snapshots_free(toll_snapshots *snapshots);

/* Load one file; an older one than `last` is aligned to it. Places are folded, since functions are
 * compared. The same. */
int toll_snapshots_read(toll_job *job, const char *path, const toll_profile *last,
                        toll_profile **out);

/* Print them as a series, in the form that the settings ask for, with at most `rows` rows in a
 * table of text. Returns an exit status, after a message if it failed. */
int toll_snapshots_print(toll_job *job, const toll_snapshots *snapshots, uint32_t rows);

#endif
