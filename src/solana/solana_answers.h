/* solana_answers.h - what RPC nodes answer that is no transaction: errors, and null where they know
 * of none. */
#ifndef TOLL_SOLANA_SOLANA_ANSWERS_H
#define TOLL_SOLANA_SOLANA_ANSWERS_H

#include "base/json_read.h"
#include "format/format_row.h"

enum { SOLANA_ERROR_SIZE = 240 }; /* bytes of an error's text */

typedef struct toll_solana_answers {
    uint64_t errors, nulls;
    unsigned depth; /* of the object of an error; 0: none is open */
    uint64_t logs;  /* read before it */
    char code[24], text[SOLANA_ERROR_SIZE];
    char first[SOLANA_ERROR_SIZE + 40]; /* error */
} toll_solana_answers;

/* The object of an error begins, at that depth, when so many logs have been read. */
void toll_solana_answers_begin(toll_solana_answers *answers, unsigned depth, uint64_t logs);

/* The value of a member `code` or `message`, of whatever object. */
void toll_solana_answers_text(toll_solana_answers *answers, const toll_json *json,
                              toll_json_token token);

/* An object ends at that depth, when so many logs have been read: maybe the error's. */
void toll_solana_answers_end(toll_solana_answers *answers, unsigned depth, uint64_t logs);

/* The file `name` has no log: fail, and say what it has instead. Always false. */
bool toll_solana_answers_fail(const toll_solana_answers *answers, const char *name,
                              toll_failure *failure);

/* There are logs, and what is in these answers is not among them. */
void toll_solana_answers_warn(const toll_solana_answers *answers, const char *name,
                              const toll_format_options *options);

#endif
