/* rule_names.c - see rule_names.h. */
#include "gates/rule_names.h"

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

static bool text_matches(const toll_names *names, const char *text, const char *name)
{
    switch (names->kind) {
    case TOLL_NAMES_TEXT: return strcmp(text, name) == 0;
    case TOLL_NAMES_GLOB: return toll_glob_matches(text, name);
    default: return names->kind == TOLL_NAMES_ALL;
    }
}

static toll_status mark_regex(const toll_rules *rules, const toll_rule *rule, const char *text,
                              const toll_profile *p, bool *frames, bool *threads, toll_error *err)
{
    toll_pattern pattern;
    toll_error why = { TOLL_OK, "" };
    toll_status status = toll_pattern_parse(&pattern, text, &why);
    if (status == TOLL_E_NOMEM)
        return toll_fail_nomem(err);
    if (status)
        return toll_fail_rule(rules, rule->line, rule->at_name, err, TOLL_E_SYNTAX, "%s", why.text);
    for (uint32_t i = 0; i < toll_profile_frame_count(p); i++)
        frames[i] = toll_frame_matches(&pattern, toll_profile_frame(p, i));
    for (uint32_t i = 0; threads && i < toll_profile_thread_count(p); i++)
        threads[i] = toll_pattern_matches(&pattern, toll_profile_thread_name(p, i));
    toll_pattern_free(&pattern);
    return TOLL_OK;
}

toll_status toll_names_mark(const toll_rules *rules, const toll_rule *rule, const toll_names *names,
                            const toll_profile *p, bool *frames, bool *threads, toll_error *err)
{
    const char *text = toll_rules_text(rules, names->text);
    if (names->kind == TOLL_NAMES_REGEX)
        return mark_regex(rules, rule, text, p, frames, threads, err);
    for (uint32_t i = 0; i < toll_profile_frame_count(p); i++)
        frames[i] = text_matches(names, text, toll_profile_frame(p, i).name);
    for (uint32_t i = 0; threads && i < toll_profile_thread_count(p); i++)
        threads[i] = text_matches(names, text, toll_profile_thread_name(p, i));
    return TOLL_OK;
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
    for (uint32_t i = 0; i < count; i++) { /* the first in the order of names, and of no id */
        const char *name = name_at(p, i);
        if (strstr(name, text) && (!found || strcmp(name, found) < 0))
            found = name;
    }
    return found ? found : toll_nearest(text, name_at, p, count);
}
