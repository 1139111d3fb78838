/* merge_messages.h - collects what toll merge reports about single files: warnings, and omitted
 * files. The first messages in the order of the files are kept, the others counted. They are
 * printed at the end, so that they do not depend on which thread was faster. */
#ifndef TOLL_CLI_MERGE_MESSAGES_H
#define TOLL_CLI_MERGE_MESSAGES_H

#include "job.h"

enum { TOLL_MOST_MERGE_MESSAGES = 20 };

typedef struct toll_merge_message {
    uint64_t file; /* its number in the order of the inputs */
    char text[TOLL_ERROR_SIZE];
} toll_merge_message;

/* All zero: no messages. */
typedef struct toll_merge_messages {
    toll_merge_message first[TOLL_MOST_MERGE_MESSAGES]; /* sorted by file, then in the order of
                                                         * adding */
    unsigned count;
    uint64_t more; /* number of messages that are not kept */
} toll_merge_messages;

void toll_merge_messages_add(toll_merge_messages *messages, uint64_t file, const char *prefix,
                             const char *text);

/* Print the messages about files before number `end`. UINT64_MAX: all, and the number of those not
 * kept. */
void toll_merge_messages_say(const toll_merge_messages *messages, const toll_job *job,
                             uint64_t end);

#endif
