/* solana_read.c - the reader of format "solana": recognises logs of Solana programs and reads them
 * into a profile. */
#include "base/sized_options.h"
#include "format/sniff.h"
#include "solana/solana.h"

#include <string.h>

/* --- recognising -------------------------------------------------------------------------------*/

static bool is_invocation(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *end = memchr(text, '\n', size), *bracket = memchr(text, ']', size);
    toll_solana_line line;
    size_t n = end ? (size_t)(end - text) : size;
    if (bracket && (size_t)(bracket - text) < n)
        n = (size_t)(bracket - text) + 1;
    toll_solana_parse(text, n, &line);
    return line.kind == SOLANA_INVOKE;
}

toll_sniff toll_solana_sniff(const uint8_t *data, size_t size)
{
    static const char word[] = "Program ";
    const size_t n = sizeof word - 1;
    const uint8_t *end = data + size;
    for (const uint8_t *p = data; (size_t)(end - p) >= n; p++) {
        p = memchr(p, 'P', (size_t)(end - p));
        if (!p || (size_t)(end - p) < n)
            break;
        if (memcmp(p, word, n) == 0 &&
            is_invocation(p, (size_t)(end - p) < 80 ? (size_t)(end - p) : 80))
            return TOLL_SNIFF_SURE;
    }
    toll_sniff sniff = toll_sniff_json(data, size, "\"logMessages\"", "\"computeUnitsConsumed\"");
    if (sniff == TOLL_SNIFF_NO)
        sniff = toll_sniff_json(data, size, "\"unitsConsumed\"", NULL);
    return sniff != TOLL_SNIFF_NO ? sniff : toll_sniff_json(data, size, "\"jsonrpc\"", NULL);
}

static bool read_line(void *run, const toll_solana_line *line)
{
    return toll_solana_run_line(run, line);
}

static bool read_end(void *run, const toll_solana_transaction *transaction)
{
    return toll_solana_run_end(run, transaction);
}

static bool read_log(toll_read_job *job, toll_solana_names *names, bool by_transaction,
                     toll_failure *failure)
{
    toll_solana_run *run =
        toll_solana_run_create(toll_input_mem(job->in), names, by_transaction, failure);
    if (!run)
        return false;
    toll_solana_log_counts counts = { 0 };
    const toll_solana_log log = { read_line, read_end, run, failure, job->options, &counts };
    bool good = toll_solana_read_log(job->in, &log) &&
                toll_solana_run_take(run, &counts, &job->profile) &&
                (job->profile ||
                 toll_ok(failure, toll_fail(failure->err, TOLL_E_SYNTAX,
                                            "%s: no line is a 'Program ID invoke [1]'; is this a "
                                            "log of Solana programs?",
                                            toll_input_name(job->in))));
    toll_solana_run_free(run);
    return good;
}

toll_status toll_solana_read(toll_read_job *job, toll_error *err)
{
    toll_solana_names names;
    toll_failure failure = { .err = err };
    toll_solana_options own;
    toll_status status = toll_options_copy(&own, sizeof own, job->own, "toll_solana_options", err);
    if (status)
        return status;
    if (own.logs || own.elf_count || own.costs)
        toll_format_warn(job->options,
                         "%s: is no folder of register traces; ELF files, logs and costs are not "
                         "used",
                         toll_input_name(job->in));
    toll_solana_names_init(&names, toll_input_mem(job->in));
    if (toll_solana_names_read(&names, &own, job->options, &failure) &&
        read_log(job, &names, own.by_transaction != 0, &failure))
        toll_solana_idls_warn_unused(&names.idls, job->options);
    toll_solana_names_free(&names);
    return failure.status;
}
