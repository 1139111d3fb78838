/* rule_each.c - see rule_each.h.
 *
 * A case is a list of labels, sorted by key, then value. It is kept as keys and values in turn,
 * each with a NUL behind it, since names of tests may contain anything else. */
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

static bool is_each(toll_thread_label label)
{
    return strcmp(label.value, TOLL_EACH_VALUE) == 0;
}

/* Parse the rule's labels, and sort them. */
static toll_status parse_labels(const toll_rules *rules, const toll_rule *rule,
                                toll_label_list *labels, toll_error *err)
{
    toll_status status =
        toll_label_list_parse(labels, &rules->mem, toll_rules_text(rules, rule->where), err);
    toll_sort(labels->items, labels->count, sizeof *labels->items, toll_compare_labels);
    return status;
}

void toll_rules_put_each(const toll_rules *rules, const toll_rule *rule, toll_buffer *out)
{
    toll_label_list labels;
    toll_status status = parse_labels(rules, rule, &labels, NULL);
    for (size_t i = 0; !status && i < labels.count; i++)
        toll_buffer_append_format(out, "%s%s=%s", i ? ", " : "", labels.items[i].key,
                                  is_each(labels.items[i]) ? "*" : labels.items[i].value);
    out->failed |= status != TOLL_OK;
    toll_label_list_free(&labels);
}

/* --- keys instead of labels --------------------------------------------------------------------*/

/* Append "test=*\nhost=*\n" for "test,host". */
static void put_labels_of(const char *keys, toll_buffer *labels)
{
    for (keys += strspn(keys, ", \t"); *keys; keys += strspn(keys, ", \t")) {
        size_t size = strcspn(keys, ","), used = size;
        while (strchr(" \t", keys[used - 1]))
            used--;
        toll_buffer_append(labels, keys, used);
        toll_buffer_append_text(labels, "=" TOLL_EACH_VALUE "\n");
        keys += size;
    }
}

toll_status toll_rules_hold_each(toll_rules *rules, const char *keys, toll_error *err)
{
    size_t at = rules->texts.size;
    put_labels_of(keys, &rules->texts);
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

/* --- the cases of a profile --------------------------------------------------------------------*/

typedef struct expanding {
    toll_rules *rules;
    const toll_profile *profile;
    toll_rule *items; /* the new rules */
    size_t count, capacity;
    toll_label_list labels; /* of the current rule */
    toll_strtab cases;      /* that a thread has; number 0 is "" */
    toll_strtab own;        /* those that have a rule of their own */
    toll_strtab needed;     /* of these, the ones whose own rule must match something */
    toll_buffer text;
} expanding;

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

static void put_label(toll_buffer *text, const char *key, const char *value)
{
    toll_buffer_append(text, key, strlen(key) + 1);
    toll_buffer_append(text, value, strlen(value) + 1);
}

/* Is it the same label as the one before it in a sorted list? */
static bool is_repeated(const toll_label_list *list, size_t i)
{
    return i && toll_compare_labels(&list->items[i], &list->items[i - 1]) == 0;
}

/* Add the cases whose first labels are in e->text: the thread's values of each further key, in
 * turn. */
static bool add_cases(expanding *e, size_t next, const labelled *t)
{
    size_t size = e->text.size;
    if (next == e->labels.count)
        return e->cases.count <= TOLL_MOST_EACH_RULES &&
               toll_strtab_add(&e->cases, (const char *)e->text.data, size) != UINT32_MAX;
    if (is_repeated(&e->labels, next))
        return add_cases(e, next + 1, t);
    toll_thread_label label = e->labels.items[next];
    const char *value = is_each(label) ? value_at(t, label.key, 0) : label.value;
    bool ok = true;
    for (uint32_t i = 1; ok && value; i++) {
        e->text.size = size;
        put_label(&e->text, label.key, value);
        ok = !e->text.failed && add_cases(e, next + 1, t);
        value = is_each(label) ? value_at(t, label.key, i) : NULL;
    }
    e->text.size = size;
    return ok;
}

/* Find the cases of all threads that the rule's labels choose. */
static bool find_cases(expanding *e)
{
    bool ok = toll_strtab_add(&e->cases, "", 0) != UINT32_MAX;
    for (toll_thread_id t = 0; ok && t < toll_profile_thread_count(e->profile); t++) {
        const labelled thread = { e->profile, t };
        toll_buffer_clear(&e->text);
        if (toll_label_list_matches(&e->labels, thread_has, &thread))
            ok = add_cases(e, 0, &thread);
    }
    return ok;
}

/* --- rules of their own ------------------------------------------------------------------------*/

static bool is_same(const toll_rules *rules, const toll_names *a, const toll_names *b)
{
    return a->kind == b->kind &&
           strcmp(toll_rules_text(rules, a->text), toll_rules_text(rules, b->text)) == 0;
}

/* Does a rule with operator `own` limit a value on each side on which the other one does? */
static bool limits_as(toll_rule_op own, toll_rule_op other)
{
    return own == TOLL_RULE_EQUAL ||
           (other != TOLL_RULE_EQUAL && (own < TOLL_RULE_EQUAL) == (other < TOLL_RULE_EQUAL));
}

/* Is the rule `own` about the same column, function and root as the other one, and as strict? */
static bool is_alike(const toll_rules *rules, const toll_rule *own, const toll_rule *other)
{
    return limits_as(own->op, other->op) && own->is_self == other->is_self &&
           own->has_root == other->has_root &&
           strcmp(toll_rules_text(rules, own->column), toll_rules_text(rules, other->column)) ==
               0 &&
           is_same(rules, &own->names, &other->names) &&
           (!own->has_root || is_same(rules, &own->roots, &other->roots));
}

static toll_status add_own(expanding *e, const toll_rule *own, toll_error *err)
{
    toll_label_list labels;
    toll_status status = parse_labels(e->rules, own, &labels, err);
    toll_buffer_clear(&e->text);
    for (size_t i = 0; !status && i < labels.count; i++)
        if (!is_repeated(&labels, i))
            put_label(&e->text, labels.items[i].key, labels.items[i].value);
    toll_label_list_free(&labels);
    if (status)
        return status;
    const char *text = (const char *)e->text.data;
    bool ok = !e->text.failed && toll_strtab_add(&e->own, text, e->text.size) != UINT32_MAX;
    if (ok && !own->is_optional)
        ok = toll_strtab_add(&e->needed, text, e->text.size) != UINT32_MAX;
    return ok ? TOLL_OK : toll_fail_nomem(err);
}

static toll_status find_own(expanding *e, const toll_rule *rule, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < e->rules->count; i++) {
        const toll_rule *own = &e->rules->items[i];
        if (own->has_where && !own->is_each && is_alike(e->rules, own, rule))
            status = add_own(e, own, err);
    }
    return status;
}

static bool is_in(const toll_strtab *table, const toll_strtab_entry *item)
{
    return toll_strtab_find(table, item->text, item->size) != UINT32_MAX;
}

/* --- the new rules -----------------------------------------------------------------------------*/

static bool add_rule(expanding *e, const toll_rule *rule)
{
    if (!toll_array_grow(&e->rules->mem, &e->items, &e->capacity, e->count, 1))
        return false;
    e->items[e->count++] = *rule;
    return true;
}

static toll_status too_many(const expanding *e, const toll_rule *rule, toll_error *err)
{
    return toll_fail_rule(e->rules, rule->line, 0, err, TOLL_E_LIMIT,
                          "with a rule for each test there are more than %d; hold fewer of them "
                          "to each",
                          TOLL_MOST_EACH_RULES);
}

/* Append what the rule is about, with the labels of a case instead of its own. */
static void put_subject(const toll_rules *rules, const toll_rule *rule, const toll_rule *made,
                        toll_buffer *out)
{
    size_t size = rule->where_at ? rule->where_at - rule->subject.at : rule->subject.size;
    const char *text = (const char *)rules->file.data + rule->subject.at;
    while (size && (text[size - 1] == ' ' || text[size - 1] == '\t'))
        size--;
    toll_buffer_append(out, text, size);
    const char *key = toll_rules_text(rules, made->where);
    for (uint32_t i = 0; i < made->made_labels; i++) {
        const char *value = key + strlen(key) + 1;
        toll_buffer_append_text(out, "  where ");
        toll_rules_put_label(out, key, value);
        key = value + strlen(value) + 1;
    }
    toll_buffer_append_byte(out, 0);
}

static toll_status add_made(expanding *e, const toll_rule *rule, const toll_strtab_entry *item,
                            toll_error *err)
{
    toll_buffer *texts = &e->rules->texts;
    toll_rule made = *rule;
    made.is_each = false;
    made.is_optional = true; /* not each test calls the function; see must_match */
    made.where = texts->size;
    for (size_t i = 0; i < e->labels.count; i++)
        made.made_labels += !is_repeated(&e->labels, i);
    if (!toll_buffer_append(texts, item->text, item->size))
        return toll_fail_nomem(err);
    toll_buffer_clear(&e->text);
    put_subject(e->rules, rule, &made, &e->text);
    made.made_subject = texts->size;
    if (e->text.failed || !toll_buffer_append(texts, e->text.data, e->text.size))
        return toll_fail_nomem(err);
    if (e->count == TOLL_MOST_EACH_RULES)
        return too_many(e, rule, err);
    return add_rule(e, &made) ? TOLL_OK : toll_fail_nomem(err);
}

static int compare_cases(const void *a, const void *b)
{
    const toll_strtab_entry *x = a, *y = b;
    int by = memcmp(x->text, y->text, x->size < y->size ? x->size : y->size);
    return by ? by : (x->size > y->size) - (x->size < y->size);
}

/* Add a rule for each case that has none of its own, in the order of their texts. */
static toll_status make_rules(expanding *e, const toll_rule *rule, toll_error *err)
{
    size_t count = e->cases.count - 1, first = e->count;
    toll_strtab_entry *items = toll_mem_new(&e->rules->mem, count, sizeof *items);
    toll_status status = items ? TOLL_OK : toll_fail_nomem(err);
    bool is_needed = !rule->is_optional;
    for (size_t i = 0; items && i < count; i++)
        items[i] = e->cases.entries[i + 1];
    if (items)
        toll_sort(items, count, sizeof *items, compare_cases);
    for (size_t i = 0; !status && i < count; i++) {
        if (!is_in(&e->own, &items[i]))
            status = add_made(e, rule, &items[i], err);
        else if (is_in(&e->needed, &items[i])) /* that one fails if its function is gone */
            is_needed = false;
    }
    if (!status && e->count > first) {
        e->items[first].cases = (uint32_t)(e->count - first);
        e->items[first].must_match = is_needed;
    }
    toll_mem_free(&e->rules->mem, items, count, sizeof *items);
    return status;
}

static toll_status expand(expanding *e, const toll_rule *rule, toll_error *err)
{
    const toll_mem *mem = &e->rules->mem;
    toll_strtab_init(&e->cases, mem);
    toll_strtab_init(&e->own, mem);
    toll_strtab_init(&e->needed, mem);
    toll_status status = parse_labels(e->rules, rule, &e->labels, err);
    if (!status && e->labels.count > MOST_LABELS)
        status = toll_fail_rule(e->rules, rule->line, 0, err, TOLL_E_LIMIT,
                                "a rule for each value has %d labels at most", MOST_LABELS);
    if (!status && !find_cases(e))
        status =
            e->cases.count > TOLL_MOST_EACH_RULES ? too_many(e, rule, err) : toll_fail_nomem(err);
    if (!status)
        status = find_own(e, rule, err);
    if (!status && e->cases.count == 1) /* no thread has the labels: so it fails */
        status = add_rule(e, rule) ? TOLL_OK : toll_fail_nomem(err);
    else if (!status)
        status = make_rules(e, rule, err);
    toll_strtab_free(&e->cases);
    toll_strtab_free(&e->own);
    toll_strtab_free(&e->needed);
    toll_label_list_free(&e->labels);
    return status;
}

/* --- all rules ---------------------------------------------------------------------------------*/

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
