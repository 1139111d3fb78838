/* solana_answers.c - see solana_answers.h. */
#include "solana/solana_answers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void toll_solana_answers_begin(toll_solana_answers *a, unsigned depth, uint64_t logs)
{
    a->depth = depth;
    a->logs = logs;
    *a->code = *a->text = 0;
}

void toll_solana_answers_text(toll_solana_answers *a, const toll_json *json, toll_json_token token)
{
    if (json->depth != a->depth)
        return;
    if (token == TOLL_JSON_NUMBER)
        snprintf(a->code, sizeof a->code, "%s", toll_json_text(json));
    else if (token == TOLL_JSON_STRING)
        snprintf(a->text, sizeof a->text, "%s", toll_json_text(json));
}

void toll_solana_answers_end(toll_solana_answers *a, unsigned depth, uint64_t logs)
{
    if (a->depth != depth)
        return;
    a->depth = 0;
    if (logs > a->logs)
        return; /* a failed simulation, which has a log */
    if (a->errors++ == 0)
        snprintf(a->first, sizeof a->first, "%s%s%s", a->code, *a->code ? ": " : "",
                 *a->text ? a->text : "without a message");
}

bool toll_solana_answers_fail(const toll_solana_answers *a, const char *name, toll_failure *f)
{
    if (a->errors)
        return toll_ok(f, toll_fail(f->err, TOLL_E_SYNTAX,
                                    "%s: is no transaction, but the error that the RPC node "
                                    "answered with (%s); ask again%s",
                                    name, a->first,
                                    strncmp(a->first, "-32015:", 7) == 0
                                        ? " with \"maxSupportedTransactionVersion\": 1"
                                        : ""));
    if (a->nulls)
        return toll_ok(f, toll_fail(f->err, TOLL_E_SYNTAX,
                                    "%s: the RPC node knows no such transaction (\"result\" is "
                                    "null); ask with \"commitment\": \"confirmed\", or a node that "
                                    "keeps older ones",
                                    name));
    return toll_ok(f, toll_fail(f->err, TOLL_E_SYNTAX,
                                "%s: no array logMessages or logs is in it; is this the answer to "
                                "getTransaction or simulateTransaction?",
                                name));
}

void toll_solana_answers_warn(const toll_solana_answers *a, const char *name,
                              const toll_format_options *options)
{
    if (a->errors)
        toll_format_warn(options,
                         "%s: %" PRIu64 " of the RPC node's answers are errors, the first is %s",
                         name, a->errors, a->first);
    if (a->nulls)
        toll_format_warn(options,
                         "%s: of %" PRIu64
                         " transactions the RPC node knows nothing (\"result\" is null)",
                         name, a->nulls);
}
