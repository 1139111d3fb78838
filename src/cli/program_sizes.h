/* program_sizes.h - toll bench: how large the programs in target/deploy are, and how large they
 * were in the last run, whose profile has that as comments. */
#ifndef TOLL_CLI_PROGRAM_SIZES_H
#define TOLL_CLI_PROGRAM_SIZES_H

#include "job.h"

enum { TOLL_PROGRAM_SIZES = 64, TOLL_PROGRAM_NAME_SIZE = 128 };

typedef struct toll_program_size {
    char name[TOLL_PROGRAM_NAME_SIZE]; /* of the file: "counter.so" */
    int64_t before, after;             /* in bytes; -1: it was not there */
} toll_program_size;

/* By name. */
typedef struct toll_program_sizes {
    toll_program_size items[TOLL_PROGRAM_SIZES];
    uint32_t count, left_out; /* left_out: more than there is room for, or longer names */
    bool is_known;            /* there is a folder target/deploy */
    bool is_compared;
} toll_program_sizes;

/* Look for target/deploy in the current folder and in those around it. */
void toll_program_sizes_find(toll_program_sizes *sizes);

/* Add what a profile's comments say as `before`. */
void toll_program_sizes_compare(toll_program_sizes *sizes, const toll_profile *before);

/* Add the comments to a profile. Returns an exit status, after a message if it failed. */
int toll_program_sizes_keep(const toll_job *job, const toll_program_sizes *sizes,
                            toll_profile *profile);

/* Print them as a table, nothing if there are none; as a JSON array. */
void toll_program_sizes_put(const toll_program_sizes *sizes, toll_output *out);
void toll_program_sizes_markdown(const toll_program_sizes *sizes, toll_output *out);
void toll_program_sizes_json(const toll_program_sizes *sizes, toll_output *out);

#endif
