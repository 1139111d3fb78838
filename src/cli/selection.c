/* selection.c - see selection.h. */
#include "selection.h"

#include <stdio.h>
#include <string.h>

bool toll_job_chooses(const toll_settings *s)
{
    return s->filter.focus || s->filter.ignore || s->filter.thread || s->filter.where;
}

static bool has_stacks(const toll_profile *p)
{
    return toll_profile_node_count(p) > toll_profile_thread_count(p);
}

static void warn_grouping(const toll_job *job, const char *path, const toll_profile *selected,
                          const char *labels)
{
    const char *key = job->by_is_own ? NULL : job->settings->by;
    for (size_t size; key && (key = toll_unknown_label_key(selected, key, &size)); key += size)
        toll_job_warn(job, "%s%s--by %.*s: no thread has that label%s", path, *path ? ": " : "",
                      (int)size, key, labels);
}

void toll_job_warn_selection(const toll_job *job, const char *path, const toll_profile *selected,
                             const char *keys)
{
    char labels[TOLL_LABEL_KEYS_SIZE + 40] = "";
    if (keys)
        snprintf(labels, sizeof labels, "; %s%s", *keys ? "its labels: " : "it has no labels",
                 keys);
    if (has_stacks(selected))
        warn_grouping(job, path, selected, labels);
    else if (toll_job_chooses(job->settings) || job->also_where)
        toll_job_warn(job, "%s%sno stack matches%s", path, *path ? ": " : "",
                      job->settings->filter.where || job->also_where ? labels : "");
}

void toll_labels_line(const char *where, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "%s", where);
    for (char *at = text; (at = strchr(at, '\n'));)
        *at = ' ';
    if (length && length < size && text[length - 1] == ' ')
        text[length - 1] = '\0';
}

bool toll_job_chose_nothing(const toll_job *job, const toll_profile *before,
                            const toll_profile *after, char *text, size_t size)
{
    const toll_settings *s = job->settings;
    const toll_filter *f = &s->filter;
    bool chooses_labels = f->where || s->where_before || s->where_after;
    bool is_before = toll_profile_thread_count(before), is_after = toll_profile_thread_count(after);
    if (chooses_labels && !(is_before && is_after)) {
        char labels[200];
        const char *own = is_after ? s->where_before : s->where_after;
        toll_labels_line(own ? own : f->where ? f->where : s->where_before, labels, sizeof labels);
        snprintf(text, size, "no stack of %s has the label %s: nothing was held to --fail-over",
                 is_after    ? "BEFORE"
                 : is_before ? "AFTER"
                             : "either profile",
                 labels);
        return true;
    }
    if (!f->focus || has_stacks(before) || has_stacks(after))
        return false;
    snprintf(text, size,
             "no stack of either profile matches --focus %s: nothing was held to --fail-over",
             f->focus);
    return true;
}
