/* rule_each.c - see rule_each.h. */
#include "gates/rule_each.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/sort.h"
#include "base/strtab.h"
#include "gates/rule_labels.h"
#include "profile/label_list.h"
#include "profile/thread_labels.h"

#include <string.h>

enum { MOST_LABELS = 16 }; /* of a rule for each value */

/* --- keys instead of labels --------------------------------------------------------------------*/

/* Append "test=*\nhost=*\n" for "test,host". */
static void put_keys(const char *keys, toll_buffer *labels)
{
    for (keys += strspn(keys, ", \t"); *keys; keys += strspn(keys, ", \t")) {
        size_t size = strcspn(keys, ", \t");
        toll_buffer_append(labels, keys, size);
        toll_buffer_append_text(labels, "=" TOLL_EACH_VALUE "\n");
        keys += size;
    }
}

toll_status toll_rules_hold_each(toll_rules *rules, const char *keys, toll_error *err)
{
    size_t at = rules->texts.size;
    put_keys(keys, &rules->texts);
    if (rules->texts.size == at)
        return toll_fail(err, TOLL_E_ARGUMENT, "--by: which label? say its key, such as test");
    toll_buffer_append_byte(&rules->texts, 0);
    if (rules->texts.failed)
        return toll_fail_nomem(err);
    for (size_t i = 0; i < rules->count; i++) {
        toll_rule *rule = &rules->items[i];
        if (rule->has_where)
            continue;
        rule->where = at;
        rule->has_where = rule->is_each = rule->is_fixed = true;
    }
    return toll_rules_find_keys(rules, err);
}

/* --- the values of a profile -------------------------------------------------------------------*/

/* A rule that a case may have instead of the default. */
typedef struct own_rule {
    toll_label_list labels;
    bool must_match;
} own_rule;

typedef struct expanding {
    toll_rules *rules;
    const toll_profile *profile;
    toll_rule *items; /* the new rules */
    size_t count, capacity;
    toll_strtab cases; /* of the current rule: its labels, one a line */
    own_rule *own;     /* of the current rule */
    size_t own_count, own_room;
    toll_buffer text;
} expanding;

static bool is_each(toll_thread_label label)
{
    return strcmp(label.value, TOLL_EACH_VALUE) == 0;
}

typedef struct labelled {
    const toll_profile *profile;
    toll_thread_id thread;
} labelled;

/* The value of the thread's label i, 0, 1, ..., with a key; NULL: it has not so many. */
static const char *value_at(const labelled *t, const char *key, uint32_t i)
{
    uint32_t count = toll_profile_thread_label_count(t->profile, t->thread);
    const char *name = toll_profile_thread_name(t->profile, t->thread);
    if (strcmp(key, TOLL_THREAD_KEY) == 0)
        return i == 0 && *name ? name : NULL;
    for (uint32_t l = 0; l < count; l++) {
        toll_thread_label label = toll_profile_thread_label(t->profile, t->thread, l);
        if (strcmp(label.key, key) == 0 && *label.value && i-- == 0)
            return label.value;
    }
    return NULL;
}

static bool thread_has(const void *thread, toll_thread_label label)
{
    const char *value;
    for (uint32_t i = 0; (value = value_at(thread, label.key, i)) != NULL; i++)
        if (is_each(label) || strcmp(value, label.value) == 0)
            return true;
    return false;
}

/* Add the cases whose first labels are in e->text: the thread's values of each further key, in
 * turn. */
static bool add_cases_of(expanding *e, const toll_label_list *labels, size_t next,
                         const labelled *t)
{
    size_t size = e->text.size;
    if (next == labels->count)
        return e->cases.count <= TOLL_MOST_EACH_RULES &&
               toll_strtab_add(&e->cases, (const char *)e->text.data, size) != UINT32_MAX;
    toll_thread_label label = labels->items[next];
    const char *value = is_each(label) ? value_at(t, label.key, 0) : label.value;
    bool ok = true;
    for (uint32_t i = 1; ok && value; i++) {
        e->text.size = size;
        toll_buffer_append_format(&e->text, "%s=%s\n", label.key, value);
        ok = !e->text.failed && add_cases_of(e, labels, next + 1, t);
        value = is_each(label) ? value_at(t, label.key, i) : NULL;
    }
    e->text.size = size;
    return ok;
}

/* Add the labels of a thread that the rule's labels choose. */
static bool add_thread(expanding *e, const toll_label_list *labels, toll_thread_id thread)
{
    const labelled t = { e->profile, thread };
    toll_buffer_clear(&e->text);
    return !toll_label_list_matches(labels, thread_has, &t) || add_cases_of(e, labels, 0, &t);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* --- rules of their own ------------------------------------------------------------------------*/

static bool list_has(const void *list, toll_thread_label label)
{
    const toll_label_list *of = list;
    for (size_t i = 0; i < of->count; i++)
        if (strcmp(of->items[i].key, label.key) == 0 &&
            strcmp(of->items[i].value, label.value) == 0)
            return true;
    return false;
}

static bool is_same(const toll_rules *rules, const toll_names *a, const toll_names *b)
{
    return a->kind == b->kind &&
           strcmp(toll_rules_text(rules, a->text), toll_rules_text(rules, b->text)) == 0;
}

/* Is the other rule about the same column and function, and is its limit in the same direction? */
static bool is_alike(const toll_rules *rules, const toll_rule *a, const toll_rule *b)
{
    bool is_limit =
        b->op == TOLL_RULE_EQUAL ||
        (a->op != TOLL_RULE_EQUAL && (a->op < TOLL_RULE_EQUAL) == (b->op < TOLL_RULE_EQUAL));
    return is_limit && a->is_self == b->is_self && a->has_root == b->has_root &&
           strcmp(toll_rules_text(rules, a->column), toll_rules_text(rules, b->column)) == 0 &&
           is_same(rules, &a->names, &b->names) &&
           (!a->has_root || is_same(rules, &a->roots, &b->roots));
}

/* Collect the rules that a case may have instead of this one. */
static toll_status find_own(expanding *e, const toll_rule *rule, toll_error *err)
{
    toll_status status = TOLL_OK;
    e->own_count = 0;
    for (size_t i = 0; !status && i < e->rules->count; i++) {
        const toll_rule *own = &e->rules->items[i];
        if (!own->has_where || own->is_each || !is_alike(e->rules, rule, own))
            continue;
        if (!toll_array_grow(&e->rules->mem, &e->own, &e->own_room, e->own_count, 1))
            return toll_fail_nomem(err);
        own_rule *o = &e->own[e->own_count++];
        o->must_match = !own->is_optional;
        status = toll_label_list_parse(&o->labels, &e->rules->mem,
                                       toll_rules_text(e->rules, own->where), err);
    }
    return status;
}

static void free_own(expanding *e)
{
    for (size_t i = 0; i < e->own_count; i++)
        toll_label_list_free(&e->own[i].labels);
    e->own_count = 0;
}

/* Find a case's own rule; NULL: it has none. */
static toll_status own_of(const expanding *e, const char *labels, const own_rule **own,
                          toll_error *err)
{
    toll_label_list of;
    toll_status status = toll_label_list_parse(&of, &e->rules->mem, labels, err);
    *own = NULL;
    for (size_t i = 0; !status && !*own && i < e->own_count; i++)
        if (toll_label_list_matches(&e->own[i].labels, list_has, &of))
            *own = &e->own[i];
    toll_label_list_free(&of);
    return status;
}

/* --- the new rules -----------------------------------------------------------------------------*/

static bool add_rule(expanding *e, const toll_rule *rule)
{
    if (!toll_array_grow(&e->rules->mem, &e->items, &e->capacity, e->count, 1))
        return false;
    e->items[e->count++] = *rule;
    return true;
}

/* Append what the rule is about, with the labels of a case instead of its own. */
static void put_subject(const toll_rules *rules, const toll_rule *rule, const char *labels,
                        toll_buffer *texts)
{
    size_t size = rule->where_at ? rule->where_at - rule->subject.at : rule->subject.size;
    const char *text = (const char *)rules->file.data + rule->subject.at;
    while (size && (text[size - 1] == ' ' || text[size - 1] == '\t'))
        size--;
    toll_buffer_append(texts, text, size);
    for (const char *line = labels; *line; line += strcspn(line, "\n") + 1) {
        const char *equals = strchr(line, '=');
        size_t key = (size_t)(equals - line), value = strcspn(equals + 1, "\n");
        toll_buffer_append_text(texts, "  where ");
        toll_rules_put_label(texts, line, key, equals + 1, value);
    }
    toll_buffer_append_byte(texts, 0);
}

static toll_status too_many(const expanding *e, const toll_rule *rule, toll_error *err)
{
    return toll_fail_rule(e->rules, rule->line, 0, err, TOLL_E_LIMIT,
                          "with a rule for each test there are more than %d; hold fewer of them "
                          "to each",
                          TOLL_MOST_EACH_RULES);
}

static toll_status add_made(expanding *e, const toll_rule *rule, const char *labels,
                            toll_error *err)
{
    toll_rules *rules = e->rules;
    toll_rule made = *rule;
    made.is_each = false;
    made.is_optional = true; /* not each test calls the function; see toll_rules_measure */
    made.where = rules->texts.size;
    toll_buffer_append(&rules->texts, labels, strlen(labels) + 1);
    made.made_subject = rules->texts.size;
    put_subject(rules, rule, labels, &rules->texts);
    if (e->count == TOLL_MOST_EACH_RULES)
        return too_many(e, rule, err);
    return rules->texts.failed || !add_rule(e, &made) ? toll_fail_nomem(err) : TOLL_OK;
}

/* Add a rule for each case, in the order of their texts. */
static toll_status add_cases(expanding *e, const toll_rule *rule, toll_error *err)
{
    size_t count = e->cases.count, first = e->count;
    const char **labels = toll_mem_new(&e->rules->mem, count, sizeof *labels);
    toll_status status = labels ? TOLL_OK : toll_fail_nomem(err);
    for (size_t i = 1; labels && i < count; i++)
        labels[i] = toll_strtab_text(&e->cases, (uint32_t)i);
    if (labels)
        toll_sort(labels + 1, count - 1, sizeof *labels, compare_texts);
    bool is_in_own = false; /* that one fails if its function is gone */
    for (size_t i = 1; !status && i < count; i++) {
        const own_rule *own = NULL;
        status = own_of(e, labels[i], &own, err);
        if (!status && !own)
            status = add_made(e, rule, labels[i], err);
        is_in_own |= own && own->must_match;
    }
    if (!status && e->count > first && !is_in_own && !rule->is_optional)
        e->items[first].cases = (uint32_t)(e->count - first);
    toll_mem_free(&e->rules->mem, labels, count, sizeof *labels);
    return status;
}

static toll_status expand(expanding *e, const toll_rule *rule, toll_error *err)
{
    toll_label_list labels;
    toll_status status =
        toll_label_list_parse(&labels, &e->rules->mem, toll_rules_text(e->rules, rule->where), err);
    toll_strtab_init(&e->cases, &e->rules->mem);
    if (!status && labels.count > MOST_LABELS)
        status = toll_fail_rule(e->rules, rule->line, 0, err, TOLL_E_LIMIT,
                                "a rule for each value has %d labels at most", MOST_LABELS);
    bool ok = !status && toll_strtab_add(&e->cases, "", 0) != UINT32_MAX; /* its id is 0 */
    for (toll_thread_id t = 0; ok && t < toll_profile_thread_count(e->profile); t++)
        ok = add_thread(e, &labels, t);
    if (!status && e->cases.count > TOLL_MOST_EACH_RULES)
        status = too_many(e, rule, err);
    else if (!status && !ok)
        status = toll_fail_nomem(err);
    if (!status && e->cases.count == 1) /* no thread has the labels: so it fails */
        status = add_rule(e, rule) ? TOLL_OK : toll_fail_nomem(err);
    else if (!status)
        status = find_own(e, rule, err);
    if (!status && e->cases.count > 1)
        status = add_cases(e, rule, err);
    free_own(e);
    toll_strtab_free(&e->cases);
    toll_label_list_free(&labels);
    return status;
}

static bool has_each(const toll_rules *rules)
{
    for (size_t i = 0; i < rules->count; i++)
        if (rules->items[i].is_each)
            return true;
    return false;
}

toll_status toll_rules_expand(toll_rules *rules, const toll_profile *p, toll_error *err)
{
    expanding e = { .rules = rules, .profile = p };
    toll_status status = TOLL_OK;
    if (!has_each(rules))
        return TOLL_OK;
    toll_buffer_init(&e.text, &rules->mem);
    for (size_t i = 0; !status && i < rules->count; i++) {
        if (rules->items[i].is_each)
            status = expand(&e, &rules->items[i], err);
        else if (!add_rule(&e, &rules->items[i]))
            status = toll_fail_nomem(err);
    }
    toll_buffer_free(&e.text);
    toll_mem_free(&rules->mem, e.own, e.own_room, sizeof *e.own);
    if (status) {
        toll_mem_free(&rules->mem, e.items, e.capacity, sizeof *e.items);
        return status;
    }
    toll_mem_free(&rules->mem, rules->items, rules->capacity, sizeof *rules->items);
    rules->items = e.items;
    rules->count = e.count;
    rules->capacity = e.capacity;
    return TOLL_OK;
}
