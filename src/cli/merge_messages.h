/* merge_messages.h - what toll merge says about single files: warnings, and which were left out.
 * However many there are, the first of them in the order of the files are kept and the others
 * counted; they are said at the end, so that what is said does not depend on which thread was
 * faster. */
#ifndef TOLL_CLI_MERGE_MESSAGES_H
#define TOLL_CLI_MERGE_MESSAGES_H

#include "job.h"

enum { TOLL_MOST_MERGE_MESSAGES = 20 };

typedef struct toll_merge_message {
    uint64_t file; /* its number in the order of the inputs */
    char text[TOLL_ERROR_SIZE];
} toll_merge_message;

/* All zero: none. */
typedef struct toll_merge_messages {
    toll_merge_message first[TOLL_MOST_MERGE_MESSAGES]; /* by file, and in the order of adding */
    unsigned count;
    uint64_t more; /* how many are not kept */
} toll_merge_messages;

void toll_merge_messages_add(toll_merge_messages *messages, uint64_t file, const char *prefix,
                             const char *text);

/* Say those of files before number `end`. UINT64_MAX: all, and how many more there were. */
void toll_merge_messages_say(const toll_merge_messages *messages, const toll_job *job,
                             uint64_t end);

#endif
