/* solana_answers.h - recognises answers of RPC nodes that are not a transaction: errors, and null
 * for one that they do not know. */
#ifndef TOLL_SOLANA_SOLANA_ANSWERS_H
#define TOLL_SOLANA_SOLANA_ANSWERS_H

#include "base/json_read.h"
#include "format/format_row.h"

enum { SOLANA_ERROR_SIZE = 240 }; /* bytes of an error's text */

typedef struct toll_solana_answers {
    uint64_t errors, nulls;
    unsigned depth; /* depth of the current error object; 0: none is open */
    uint64_t logs;  /* number of logs read before it */
    char code[24], text[SOLANA_ERROR_SIZE];
    char first[SOLANA_ERROR_SIZE + 40]; /* text of the first error */
} toll_solana_answers;

/* Begin an error object at that depth; `logs` is the number of logs read so far. */
void toll_solana_answers_begin(toll_solana_answers *answers, unsigned depth, uint64_t logs);

/* Handle the value of a member `code` or `message`, of any object. */
void toll_solana_answers_text(toll_solana_answers *answers, const toll_json *json,
                              toll_json_token token);

/* Handle the end of an object at that depth, which may be the error's; `logs` as above. */
void toll_solana_answers_end(toll_solana_answers *answers, unsigned depth, uint64_t logs);

/* Fail because the file `name` has no log; the message says what it contains instead. Always
 * false. */
bool toll_solana_answers_fail(const toll_solana_answers *answers, const char *name,
                              toll_failure *failure);

/* Warn, if there are logs, that these answers have none. */
void toll_solana_answers_warn(const toll_solana_answers *answers, const char *name,
                              const toll_format_options *options);

#endif
