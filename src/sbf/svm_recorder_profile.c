/* svm_recorder_profile.c - takes the profile of a recorder of a Solana VM. See toll/svm_recorder.h.
 */
#include "sbf/svm_recorder_data.h"

#include <string.h>
#include <toll/version.h>

static bool add_notes(toll_svm_recorder *r, toll_profile *p)
{
    const struct {
        const char *text;
        uint64_t count;
    } notes[] = {
        { "compute units within programs that no instruction explains", r->unexplained },
        { TOLL_SBF_TEXT_LOST, r->counts.lost_returns },
        { TOLL_SBF_TEXT_OUTER, r->counts.outer_returns },
    };
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (!toll_ok(&r->failure,
                     toll_profile_add_note(p, notes[i].text, notes[i].count, r->failure.err)))
            return false;
    return true;
}

static bool add_to_kept(toll_svm_recorder *r, toll_profile *p)
{
    if (!r->kept) {
        r->kept = p;
        return true;
    }
    bool good = toll_ok(&r->failure, toll_profile_merge(r->kept, p, r->failure.err));
    toll_profile_free(p);
    return good;
}

/* Empty the recorder, whose sections refer to stacks that are gone then. */
static void empty(toll_svm_recorder *r, toll_svm *sections)
{
    toll_svm_free(r->svm);
    r->svm = sections;
    toll_recorder_reset(r->recorder);
    r->counts = (toll_sbf_counts){ 0 };
    r->unexplained = 0;
    r->used = 0;
}

static bool keep(toll_svm_recorder *r, toll_profile *p)
{
    toll_svm *sections;
    if (!add_notes(r, p) ||
        !toll_ok(&r->failure, toll_svm_create(&r->syscalls, &sections, r->failure.err))) {
        toll_profile_free(p);
        return false;
    }
    if (!add_to_kept(r, p)) {
        toll_svm_free(sections);
        return false;
    }
    empty(r, sections);
    return true;
}

bool toll_svm_recorder_keep(toll_svm_recorder *r)
{
    toll_profile *p;
    return toll_ok(&r->failure, toll_recorder_snapshot(r->recorder, NULL, &p, r->failure.err)) &&
           keep(r, p);
}

toll_status toll_svm_recorder_take(toll_svm_recorder *r, toll_profile **out, toll_error *err)
{
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (r->depth)
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "toll_svm_recorder_take: an invocation is open; take the profile after "
                         "its end");
    r->failure = (toll_failure){ .err = err };
    const toll_thread_label facts[] = { { "engine", "Solana runtime" },
                                        { "toll", TOLL_VERSION_STRING },
                                        { "costs", toll_strtab_text(&r->strings, r->costs) } };
    if (toll_svm_recorder_keep(r) &&
        toll_ok(&r->failure, toll_profile_add_run(r->kept, facts, r->costs ? 3 : 2, err))) {
        *out = r->kept;
        r->kept = NULL;
    }
    return r->failure.status;
}

toll_status toll_svm_recorder_costs(toll_svm_recorder *r, const char *costs, toll_error *err)
{
    if (!costs)
        return toll_fail_null(err, "costs");
    if (r->costs && strcmp(toll_strtab_text(&r->strings, r->costs), costs) != 0)
        costs = "several tables";
    uint32_t id = toll_strtab_add(&r->strings, costs, strlen(costs));
    if (id == UINT32_MAX)
        return toll_fail_nomem(err);
    r->costs = id;
    return TOLL_OK;
}

toll_status toll_svm_recorder_note(toll_svm_recorder *r, const char *text, uint64_t count,
                                   toll_error *err)
{
    return toll_recorder_note(r->recorder, text, count, err);
}

/* --- how functions have their names ------------------------------------------------------------*/

static bool is_numbered(const char *name)
{
    static const char before[] = TOLL_SBF_NUMBERED;
    return name && strncmp(name, before, sizeof before - 1) == 0;
}

toll_status toll_svm_note_names(toll_profile *profile, toll_error *err)
{
    uint64_t unnamed = 0, by_library = 0;
    if (!profile)
        return toll_fail_null(err, "profile");
    for (toll_frame_id i = 0; i < toll_profile_frame_count(profile); i++) {
        const toll_frame frame = toll_profile_frame(profile, i);
        if (frame.at_address || frame.at_line)
            continue; /* a place in a function, which has a frame, too */
        unnamed += is_numbered(frame.name);
        by_library += !is_numbered(frame.name) && is_numbered(frame.system_name);
    }
    toll_status status = toll_profile_add_note(profile, TOLL_SBF_TEXT_LIBRARY, by_library, err);
    return status ? status
                  : toll_profile_add_note(profile, "functions without a name", unnamed, err);
}
