/* rule_names.c - see rule_names.h. */
#include "gates/rule_names.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "profile/frame_match.h"

#include <string.h>

bool toll_glob_matches(const char *glob, const char *name)
{
    const char *star = NULL, *retry = NULL;
    for (;;) {
        if (*glob == '*') { /* try it as no text first, then as one character more each time */
            star = ++glob;
            retry = name;
        } else if (*glob == *name) {
            if (!*glob)
                return true;
            glob++;
            name++;
        } else if (star && *retry) {
            glob = star;
            name = ++retry;
        } else {
            return false;
        }
    }
}

/* What is searched: the frames or the threads of a profile, sorted by name. */
typedef struct named {
    const toll_order *order;
    const uint32_t *ids;
    uint32_t count;
    bool is_frames;
} named;

static const char *name_of(const named *n, uint32_t i)
{
    const toll_profile *p = n->order->profile;
    return n->is_frames ? toll_profile_frame(p, n->ids[i]).name
                        : toll_profile_thread_name(p, n->ids[i]);
}

static bool add_id(const named *n, uint32_t i, toll_names_found *out)
{
    const toll_mem *mem = toll_profile_mem(n->order->profile);
    if (!toll_array_grow(mem, &out->ids, &out->capacity, out->count, 1))
        return false;
    out->ids[out->count++] = n->ids[i];
    return true;
}

/* The index of the first name that does not sort before the text. */
static uint32_t first_from(const named *n, const char *text)
{
    uint32_t first = 0, end = n->count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (strcmp(name_of(n, middle), text) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static bool find_text(const named *n, const char *text, toll_names_found *out)
{
    bool good = true;
    for (uint32_t i = first_from(n, text); good && i < n->count && strcmp(name_of(n, i), text) == 0;
         i++)
        good = add_id(n, i, out);
    return good;
}

static bool find_glob(const named *n, const char *glob, toll_names_found *out)
{
    bool good = true;
    for (uint32_t i = 0; good && i < n->count; i++)
        if (toll_glob_matches(glob, name_of(n, i)))
            good = add_id(n, i, out);
    return good;
}

static bool find_pattern(const named *n, toll_pattern *pattern, toll_names_found *out)
{
    bool good = true;
    for (uint32_t i = 0; good && i < n->count; i++)
        if (n->is_frames
                ? toll_frame_matches(pattern, toll_profile_frame(n->order->profile, n->ids[i]))
                : toll_pattern_matches(pattern, name_of(n, i)))
            good = add_id(n, i, out);
    return good;
}

static toll_status find(const toll_rules *rules, const toll_rule *rule, const toll_names *names,
                        const named *n, toll_names_found *out, toll_error *err)
{
    const char *text = toll_rules_text(rules, names->text);
    toll_pattern *pattern;
    toll_error why = { TOLL_OK, "" };
    bool good;
    out->count = 0;
    if (names->kind != TOLL_NAMES_REGEX) {
        good = names->kind == TOLL_NAMES_TEXT ? find_text(n, text, out) : find_glob(n, text, out);
        return good ? TOLL_OK : toll_fail_nomem(err);
    }
    toll_status status =
        toll_pattern_parse(&pattern, toll_profile_mem(n->order->profile), text, &why);
    if (!status) {
        good = find_pattern(n, pattern, out);
        status = good ? toll_pattern_check(pattern, &why) : TOLL_E_NOMEM;
        toll_pattern_free(pattern);
    }
    if (!status || status == TOLL_E_NOMEM)
        return status ? toll_fail_nomem(err) : TOLL_OK;
    return toll_fail_rule(rules, rule->line, rule->at_name, err,
                          status == TOLL_E_LIMIT ? TOLL_E_LIMIT : TOLL_E_SYNTAX, "%s", why.text);
}

toll_status toll_names_find_frames(const toll_rules *rules, const toll_rule *rule,
                                   const toll_names *names, const toll_order *order,
                                   toll_names_found *out, toll_error *err)
{
    named n = { order, order->frames, order->frame_count, true };
    return find(rules, rule, names, &n, out, err);
}

toll_status toll_names_find_threads(const toll_rules *rules, const toll_rule *rule,
                                    const toll_names *names, const toll_order *order,
                                    toll_names_found *out, toll_error *err)
{
    named n = { order, order->threads, order->thread_count, false };
    return find(rules, rule, names, &n, out, err);
}

static const char *name_at(const void *profile, unsigned i)
{
    return toll_profile_frame(profile, i).name;
}

const char *toll_names_suggest(const toll_rules *rules, const toll_names *names,
                               const toll_profile *p)
{
    const char *text = toll_rules_text(rules, names->text), *found = NULL;
    uint32_t count = toll_profile_frame_count(p);
    if (names->kind != TOLL_NAMES_TEXT)
        return NULL;
    for (uint32_t i = 0; i < count; i++) { /* the first in the order of names */
        const char *name = name_at(p, i);
        if (strstr(name, text) && (!found || strcmp(name, found) < 0))
            found = name;
    }
    return found ? found : toll_nearest(text, name_at, p, count);
}
