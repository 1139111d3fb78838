/* history_made.c - what the last commit of a history was made by, in comments of the profile. See
 * history.h. */
#include "gates/history.h"

#include "base/fail.h"
#include "profile/runs.h"

#include <string.h>

static const char mark[] = "history made by: "; /* and a kind of runs, without labels */

toll_status toll_history_read_made(toll_history *h, toll_error *err)
{
    toll_status status = toll_profile_create(&h->mem, &h->made.runs, err);
    for (uint32_t i = 0; !status && i < toll_profile_comment_count(h->profile); i++) {
        const char *text = toll_profile_comment(h->profile, i);
        if (strncmp(text, mark, sizeof mark - 1) == 0)
            status = toll_runs_add(h->made.runs, text + sizeof mark - 1, 1, err);
    }
    if (status == TOLL_E_SYNTAX)
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "the history does not say in a known way what made its last commit");
    return status;
}

toll_status toll_history_write_made(toll_history *h, toll_error *err)
{
    toll_buffer text;
    toll_status status = TOLL_OK;
    uint32_t count = toll_profile_run_kind_count(h->made.runs);
    toll_buffer_init(&text, &h->mem);
    for (uint32_t i = 0; !status && i < count; i++) {
        toll_buffer_clear(&text);
        toll_buffer_append_text(&text, mark);
        toll_buffer_append_text(&text, toll_profile_run_kind(h->made.runs, i, NULL));
        const char *whole = toll_buffer_cstr(&text);
        status = whole ? toll_profile_add_comment(h->profile, whole, err) : toll_fail_nomem(err);
    }
    toll_buffer_free(&text);
    return status;
}

toll_status toll_history_set_made(toll_history *h, const toll_profile *profile, toll_error *err)
{
    toll_origin made = { NULL };
    toll_status status = toll_origin_take_makers(&made, &h->mem, profile, err);
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
    toll_origin made = { NULL };
    unsigned differ;
    toll_status status = toll_origin_take_makers(&made, &h->mem, profile, err);
    if (!status)
        status = toll_origins_differ(&h->made, &made, TOLL_ORIGIN_MAKERS, &differ, text, err);
    toll_origin_free(&made);
    return status;
}

toll_status toll_history_tell_made(const toll_history *h, toll_profile *p, toll_error *err)
{
    return toll_runs_add_all(p, h->made.runs, err);
}
