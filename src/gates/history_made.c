/* history_made.c - the runs of a history's last commit, in comments of the profile: how many they
 * were, and what made them. See history.h. */
#include "gates/history.h"

#include "base/fail.h"
#include "base/text.h"
#include "profile/runs.h"

#include <inttypes.h>
#include <string.h>

static const char mark[] = "history runs: "; /* their number and their kind */

/* Add the runs that a comment has after the mark: "3 {test=a} interpreter=Lua 5.4.6". */
static toll_status read_runs(toll_history *h, const char *text, toll_error *err)
{
    uint64_t count;
    size_t size = strspn(text, "0123456789");
    if (!toll_text_u64(text, size, &count) || !count)
        return TOLL_E_SYNTAX;
    return toll_runs_add(h->made.runs, text + size + (text[size] == ' '), count, err);
}

toll_status toll_history_read_made(toll_history *h, toll_error *err)
{
    toll_status status = toll_profile_create(&h->mem, &h->made.runs, err);
    for (uint32_t i = 0; !status && i < toll_profile_comment_count(h->profile); i++) {
        const char *text = toll_profile_comment(h->profile, i);
        if (strncmp(text, mark, sizeof mark - 1) == 0)
            status = read_runs(h, text + sizeof mark - 1, err);
    }
    if (status == TOLL_E_SYNTAX)
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "the history does not say in a known way of which runs its last commit "
                         "is");
    return status;
}

toll_status toll_history_write_made(toll_history *h, toll_error *err)
{
    toll_buffer text;
    toll_status status = TOLL_OK;
    toll_buffer_init(&text, &h->mem);
    for (uint32_t i = 0; !status && i < toll_profile_run_kind_count(h->made.runs); i++) {
        uint64_t count;
        const char *kind = toll_profile_run_kind(h->made.runs, i, &count);
        toll_buffer_clear(&text);
        toll_buffer_append_format(&text, "%s%" PRIu64 "%s%s", mark, count, *kind ? " " : "", kind);
        const char *whole = toll_buffer_cstr(&text);
        status = whole ? toll_profile_add_comment(h->profile, whole, err) : toll_fail_nomem(err);
    }
    toll_buffer_free(&text);
    return status;
}

toll_status toll_history_set_made(toll_history *h, const toll_profile *profile, toll_error *err)
{
    toll_origin made = { .runs = NULL };
    toll_status status = toll_origin_take_made(&made, &h->mem, profile, TOLL_HISTORY_KEY, err);
    if (status || toll_profile_run_kind_count(made.runs) == 0) {
        toll_origin_free(&made);
        return status;
    }
    toll_origin_free(&h->made);
    h->made = made;
    return TOLL_OK;
}

toll_status toll_history_unlike(const toll_history *h, const toll_profile *profile,
                                toll_buffer *text, toll_error *err)
{
    toll_origin made = { .runs = NULL };
    unsigned differ;
    toll_status status = toll_origin_take_made(&made, &h->mem, profile, TOLL_HISTORY_KEY, err);
    if (!status)
        status = toll_origins_differ(&h->made, &made, TOLL_ORIGIN_MAKERS | TOLL_ORIGIN_COUNTS, NULL,
                                     &differ, text, err);
    toll_origin_free(&made);
    return status;
}

toll_status toll_history_tell_made(const toll_history *h, toll_profile *p, toll_error *err)
{
    return toll_runs_add_all(p, h->made.runs, err);
}
