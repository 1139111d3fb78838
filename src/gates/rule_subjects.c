/* rule_subjects.c - see rule_subjects.h. */
#include "gates/rule_subjects.h"

#include "base/array.h"
#include "base/fail.h"

#include <string.h>

static const toll_mem *mem_of(const toll_rule_subjects *s)
{
    return toll_profile_mem(s->order->profile);
}

static size_t subject_count(const toll_rule_subjects *s)
{
    return toll_subject_labels(s, s->order->thread_count);
}

toll_status toll_rule_subjects_create(toll_rule_subjects *s, const toll_rules *rules,
                                      const toll_order *order, toll_error *err)
{
    *s = (toll_rule_subjects){ .rules = rules, .order = order };
    s->start = toll_mem_new(mem_of(s), subject_count(s) + 1, sizeof *s->start);
    s->labelled_start = toll_mem_new(mem_of(s), rules->count + 1, sizeof *s->labelled_start);
    if (!s->start || !s->labelled_start)
        return toll_fail_nomem(err);
    for (size_t i = 0; i < rules->count; i++)
        if (rules->items[i].has_where)
            return toll_labelled_threads_create(&s->threads, order->profile, err);
    return TOLL_OK;
}

static void free_list(toll_rule_subjects *s)
{
    toll_mem_free(mem_of(s), s->list, s->list_size, sizeof *s->list);
    s->list = NULL;
}

void toll_rule_subjects_free(toll_rule_subjects *s)
{
    free_list(s);
    if (s->threads.profile)
        toll_labelled_threads_free(&s->threads);
    toll_mem_free(mem_of(s), s->found.ids, s->found.capacity, sizeof *s->found.ids);
    toll_mem_free(mem_of(s), s->pairs, s->capacity, sizeof *s->pairs);
    toll_mem_free(mem_of(s), s->labelled, s->labelled_capacity, sizeof *s->labelled);
    toll_mem_free(mem_of(s), s->labelled_start, s->rules->count + 1, sizeof *s->labelled_start);
    toll_mem_free(mem_of(s), s->start, subject_count(s) + 1, sizeof *s->start);
}

/* --- pairs -------------------------------------------------------------------------------------*/

static bool add_labelled(toll_rule_subjects *s, size_t subject, uint32_t rule)
{
    if (!toll_array_grow(mem_of(s), &s->labelled, &s->labelled_capacity, s->labelled_count, 1))
        return false;
    s->labelled[s->labelled_count++] = (toll_rule_subject){ subject, rule };
    return true;
}

static bool add_pair(toll_rule_subjects *s, size_t subject, uint32_t rule)
{
    if (s->rules->items[rule].has_where && subject < toll_subject_labels(s, 0))
        return add_labelled(s, subject, rule);
    if (!toll_array_grow(mem_of(s), &s->pairs, &s->capacity, s->count, 1))
        return false;
    s->pairs[s->count++] = (toll_rule_subject){ subject, rule };
    return true;
}

/* Pair the rule with everything that was found: the subjects from `first` on. */
static bool add_found(toll_rule_subjects *s, size_t first, uint32_t rule)
{
    bool good = true;
    for (size_t i = 0; good && i < s->found.count; i++)
        good = add_pair(s, first + s->found.ids[i], rule);
    return good;
}

static toll_status add_functions(toll_rule_subjects *s, uint32_t rule, toll_error *err)
{
    const toll_rule *r = &s->rules->items[rule];
    toll_status status = toll_names_find_frames(s->rules, r, &r->names, s->order, &s->found, err);
    if (!status && !add_found(s, toll_subject_function(s, 0), rule))
        status = toll_fail_nomem(err);
    return status;
}

static toll_status add_roots(toll_rule_subjects *s, uint32_t rule, toll_error *err)
{
    const toll_rule *r = &s->rules->items[rule];
    const toll_names *roots = r->has_root ? &r->roots : &r->names;
    toll_status status = toll_names_find_threads(s->rules, r, roots, s->order, &s->found, err);
    if (!status && !add_found(s, toll_subject_thread(s, 0), rule))
        status = toll_fail_nomem(err);
    if (!status && r->has_root)
        status = toll_names_find_frames(s->rules, r, roots, s->order, &s->found, err);
    if (!status && r->has_root && !add_found(s, toll_subject_outermost(s, 0), rule))
        status = toll_fail_nomem(err);
    return status;
}

/* Pair the rule with the threads that have its labels. */
static toll_status add_labels(toll_rule_subjects *s, uint32_t rule, toll_error *err)
{
    const toll_rule *r = &s->rules->items[rule];
    toll_status status = toll_labelled_threads_find(&s->threads, s->rules, r, &s->found, err);
    if (!status && !add_found(s, toll_subject_labels(s, 0), rule))
        status = toll_fail_nomem(err);
    return status;
}

static toll_status add_rule(toll_rule_subjects *s, uint32_t rule, toll_error *err)
{
    const toll_rule *r = &s->rules->items[rule];
    toll_status status = r->has_where ? add_labels(s, rule, err) : TOLL_OK;
    if (!status && r->names.kind != TOLL_NAMES_ALL)
        status = add_functions(s, rule, err);
    if (!status && toll_rule_is_of_roots(r) && !toll_rule_is_of_labels(r))
        status = add_roots(s, rule, err);
    return status;
}

/* --- lists -------------------------------------------------------------------------------------*/

/* Group the pairs by subject, with a counting sort. */
static toll_status make_list(toll_rule_subjects *s, toll_error *err)
{
    size_t count = subject_count(s);
    free_list(s);
    s->list_size = s->count + 1;
    s->list = toll_mem_new(mem_of(s), s->list_size, sizeof *s->list);
    if (!s->list)
        return toll_fail_nomem(err);
    memset(s->start, 0, (count + 1) * sizeof *s->start);
    for (size_t i = 0; i < s->count; i++)
        s->start[s->pairs[i].subject]++;
    for (size_t i = 1; i <= count; i++)
        s->start[i] += s->start[i - 1];
    for (size_t i = s->count; i-- > 0;) /* from the end of each list to its start */
        s->list[--s->start[s->pairs[i].subject]] = s->pairs[i].rule;
    return TOLL_OK;
}

toll_status toll_rule_subjects_next(toll_rule_subjects *s, const bool *is_asked, uint32_t *rule,
                                    toll_error *err)
{
    toll_status status = TOLL_OK;
    s->count = s->labelled_count = 0;
    memset(s->labelled_start, 0, (s->rules->count + 1) * sizeof *s->labelled_start);
    for (;
         !status && *rule < s->rules->count && s->count + s->labelled_count <= s->order->node_count;
         ++*rule) {
        s->labelled_start[*rule] = s->labelled_count;
        if (is_asked[*rule])
            status = add_rule(s, *rule, err);
        s->labelled_start[*rule + 1] = s->labelled_count;
    }
    return status ? status : make_list(s, err);
}
