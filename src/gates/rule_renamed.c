/* rule_renamed.c - see rule_renamed.h. */
#include "gates/rule_renamed.h"

#include "base/fail.h"
#include "report/renamed.h"

#include <string.h>

typedef struct toll_renamed_names {
    bool is_known;
    uint32_t count;
    const char *was[TOLL_MOST_RENAMED], *is[TOLL_MOST_RENAMED]; /* of the difference */
} names;

static size_t room(const toll_rules_renamed *r)
{
    return (size_t)toll_profile_column_count(r->profile) + 1;
}

/* Compare the two profiles by one column. */
static toll_status find_all(const toll_rules_renamed *r, uint32_t column, names *out,
                            toll_error *err)
{
    toll_changes changes;
    toll_renamed found[TOLL_MOST_RENAMED];
    toll_value_type v = toll_profile_column(r->profile, column);
    const toll_report_options o = { .size = sizeof o, .value = v.type };
    out->is_known = true;
    if (toll_profile_find_value_type(r->before->profile, v) == TOLL_NONE)
        return TOLL_OK;
    toll_status status = toll_changes_create(&changes, r->before->profile, r->profile,
                                             r->before->difference, &o, err);
    if (status)
        return status;
    out->count = toll_find_renamed(&changes, found);
    for (uint32_t i = 0; i < out->count; i++) {
        out->was[i] = toll_change_frame(&changes, found[i].was).name;
        out->is[i] = toll_change_frame(&changes, found[i].is).name;
    }
    toll_changes_free(&changes);
    return TOLL_OK;
}

toll_status toll_rules_renamed_find(toll_rules_renamed *r, const toll_rules *rules,
                                    const toll_rule *rule, uint32_t column, const char **name,
                                    toll_error *err)
{
    *name = NULL;
    if (!r->before || !r->before->profile || rule->names.kind != TOLL_NAMES_TEXT)
        return TOLL_OK;
    if (!r->by_column)
        r->by_column = toll_mem_new(r->mem, room(r), sizeof *r->by_column);
    if (!r->by_column)
        return toll_fail_nomem(err);
    names *found = &r->by_column[column];
    toll_status status = found->is_known ? TOLL_OK : find_all(r, column, found, err);
    for (uint32_t i = 0; !status && !*name && i < found->count; i++)
        if (strcmp(found->was[i], toll_rules_text(rules, rule->names.text)) == 0)
            *name = found->is[i];
    return status;
}

void toll_rules_renamed_free(toll_rules_renamed *r)
{
    toll_mem_free(r->mem, r->by_column, r->by_column ? room(r) : 0, sizeof *r->by_column);
    r->by_column = NULL;
}
