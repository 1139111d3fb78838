/* rule_sum.c - see rule_sum.h.
 *
 * The walk is in canonical order: of stacks with equal values the first is kept. Entering a node
 * enters the rules about its function, and leaving the node leaves the same rules. A rule is open
 * while one of its functions is on the stack; recursion enters it several times, and it stays open
 * until all of them are left. The rule that was opened last is closed first. */
#include "gates/rule_sum.h"

#include "base/fail.h"
#include "base/text.h"
#include "gates/rule_subjects.h"

#include <string.h>

bool toll_rule_counts_itself(const char *column)
{
    return strcmp(column, "calls") == 0 || strcmp(column, "executions") == 0 ||
           strcmp(column, "block executions") == 0;
}

/* The state of a rule during the walk. */
typedef struct summed_rule {
    toll_rule_question asked;
    toll_rule_sum *out;
    bool is_all;      /* about everything in its roots */
    bool only_itself; /* counts a function without its callees */
    bool overflow;
    bool is_of_threads; /* about everything in the threads that have its labels */
    uint32_t roots;     /* how many of its roots contain the node: the thread, the outermost
                         * function */
    uint32_t entered;   /* how many of its functions are on the stack */
} summed_rule;

typedef struct summing {
    const toll_profile *profile;
    const toll_order *order;
    toll_rule_subjects subjects;
    summed_rule *rules;
    bool *is_asked;
    uint32_t *open; /* rules to which each deeper node is added */
    uint32_t open_count;
    /* The rules whose labels the current thread has, by subject. */
    uint32_t *on_first; /* the newest of each subject, plus 1; 0: none */
    struct on {
        uint32_t rule, next; /* next: the one before it, plus 1 */
    } * on;
    size_t on_count, on_room;
} summing;

/* --- the stacks with the largest values --------------------------------------------------------*/

static bool is_more(const summing *s, const summed_rule *r, int64_t self, toll_node_id than)
{
    int64_t other = toll_profile_self(s->profile, than, r->asked.column);
    return r->asked.stacks > 0 ? self > other : self < other;
}

static void keep_stack(const summing *s, const summed_rule *r, toll_node_id node, int64_t self)
{
    toll_rule_sum *out = r->out;
    if (self == 0 || (self > 0) != (r->asked.stacks > 0))
        return;
    uint32_t i = out->stack_count;
    if (i == TOLL_RULE_STACKS && !is_more(s, r, self, out->stacks[--i]))
        return;
    for (; i && is_more(s, r, self, out->stacks[i - 1]); i--)
        out->stacks[i] = out->stacks[i - 1];
    out->stacks[i] = node;
    out->stack_count += out->stack_count < TOLL_RULE_STACKS;
}

/* --- adding up ---------------------------------------------------------------------------------*/

static void add_node(const summing *s, summed_rule *r, toll_node_id node)
{
    int64_t self = toll_profile_self(s->profile, node, r->asked.column);
    r->overflow |= !toll_i64_add(r->out->value, self, &r->out->value);
    if (r->asked.stacks)
        keep_stack(s, r, node, self);
}

static void open_rule(summing *s, uint32_t rule)
{
    s->open[s->open_count++] = rule;
}

static void note_function(const summing *s, toll_rule_sum *out, toll_frame_id frame)
{
    if (!out->is_matched) {
        out->is_matched = true;
        out->frame = frame;
    } else if (out->frame != TOLL_NONE && out->frame != frame) {
        toll_frame a = toll_profile_frame(s->profile, out->frame);
        toll_frame b = toll_profile_frame(s->profile, frame);
        if (strcmp(a.name, b.name) != 0 || strcmp(a.file, b.file) != 0 || a.line != b.line)
            out->frame = TOLL_NONE;
    }
}

/* --- the walk ----------------------------------------------------------------------------------*/

static void enter_root_of(summing *s, uint32_t rule)
{
    summed_rule *r = &s->rules[rule];
    if (r->roots++ == 0 && r->is_all) {
        r->out->is_matched = true;
        open_rule(s, rule);
    }
}

static void leave_root_of(summing *s, uint32_t rule)
{
    summed_rule *r = &s->rules[rule];
    if (--r->roots == 0 && r->is_all)
        s->open_count--;
}

static void enter_root(summing *s, size_t subject)
{
    for (size_t i = s->subjects.start[subject]; i < s->subjects.start[subject + 1]; i++)
        enter_root_of(s, s->subjects.list[i]);
    for (uint32_t i = s->on_first[subject]; i; i = s->on[i - 1].next)
        enter_root_of(s, s->on[i - 1].rule);
}

static void leave_root(summing *s, size_t subject)
{
    for (size_t i = s->subjects.start[subject]; i < s->subjects.start[subject + 1]; i++)
        leave_root_of(s, s->subjects.list[i]);
    for (uint32_t i = s->on_first[subject]; i; i = s->on[i - 1].next)
        leave_root_of(s, s->on[i - 1].rule);
}

static void enter_function_of(summing *s, uint32_t rule, toll_frame_id frame, toll_node_id node)
{
    summed_rule *r = &s->rules[rule];
    if (!r->roots)
        return;
    note_function(s, r->out, frame);
    if (r->only_itself)
        add_node(s, r, node);
    else if (r->entered++ == 0)
        open_rule(s, rule);
}

static void leave_function_of(summing *s, uint32_t rule)
{
    summed_rule *r = &s->rules[rule];
    if (r->roots && !r->only_itself && --r->entered == 0)
        s->open_count--;
}

static void enter_function(summing *s, toll_frame_id frame, toll_node_id node)
{
    size_t subject = toll_subject_function(&s->subjects, frame);
    for (size_t i = s->subjects.start[subject]; i < s->subjects.start[subject + 1]; i++)
        enter_function_of(s, s->subjects.list[i], frame, node);
    for (uint32_t i = s->on_first[subject]; i; i = s->on[i - 1].next)
        enter_function_of(s, s->on[i - 1].rule, frame, node);
}

static void leave_function(summing *s, toll_frame_id frame)
{
    size_t subject = toll_subject_function(&s->subjects, frame);
    for (size_t i = s->subjects.start[subject]; i < s->subjects.start[subject + 1]; i++)
        leave_function_of(s, s->subjects.list[i]);
    for (uint32_t i = s->on_first[subject]; i; i = s->on[i - 1].next)
        leave_function_of(s, s->on[i - 1].rule);
}

static void enter(summing *s, const toll_walk *w)
{
    toll_frame_id frame = toll_profile_node_frame(s->profile, w->node);
    if (w->depth == 1)
        enter_root(s, toll_subject_outermost(&s->subjects, frame));
    if (w->depth > 0)
        enter_function(s, frame, w->node);
    for (uint32_t i = 0; i < s->open_count; i++)
        add_node(s, &s->rules[s->open[i]], w->node);
}

static void leave(summing *s, const toll_walk *w)
{
    toll_frame_id frame = toll_profile_node_frame(s->profile, w->node);
    if (w->depth > 0)
        leave_function(s, frame);
    if (w->depth == 1)
        leave_root(s, toll_subject_outermost(&s->subjects, frame));
}

/* --- threads and their labels ------------------------------------------------------------------*/

static void turn_on(summing *s, uint32_t rule)
{
    const toll_rule_subjects *all = &s->subjects;
    s->rules[rule].out->is_labelled = true;
    for (size_t i = all->labelled_start[rule]; i < all->labelled_start[rule + 1]; i++) {
        size_t subject = all->labelled[i].subject;
        s->on[s->on_count++] = (struct on){ rule, s->on_first[subject] };
        s->on_first[subject] = (uint32_t)s->on_count;
    }
    if (s->rules[rule].is_of_threads)
        enter_root_of(s, rule);
}

static void turn_off(summing *s, uint32_t rule)
{
    const toll_rule_subjects *all = &s->subjects;
    for (size_t i = all->labelled_start[rule]; i < all->labelled_start[rule + 1]; i++)
        s->on_first[all->labelled[i].subject] = 0;
    if (s->rules[rule].is_of_threads)
        leave_root_of(s, rule);
}

/* Begin or end with the rules whose labels the thread has: only these are looked at in it. */
static void turn_labelled(summing *s, toll_thread_id thread, void (*turn)(summing *, uint32_t))
{
    size_t subject = toll_subject_labels(&s->subjects, thread);
    s->on_count = 0;
    for (size_t i = s->subjects.start[subject]; i < s->subjects.start[subject + 1]; i++)
        turn(s, s->subjects.list[i]);
}

static void walk_all(summing *s)
{
    for (uint32_t t = 0; t < s->order->thread_count; t++) {
        toll_thread_id thread = s->order->threads[t];
        toll_walk walk = toll_walk_begin(s->order, toll_profile_root(s->profile, thread));
        turn_labelled(s, thread, turn_on);
        enter_root(s, toll_subject_thread(&s->subjects, thread));
        while (toll_walk_next(&walk)) {
            if (walk.entering)
                enter(s, &walk);
            else
                leave(s, &walk);
        }
        leave_root(s, toll_subject_thread(&s->subjects, thread));
        turn_labelled(s, thread, turn_off);
    }
}

/* --- all rules ---------------------------------------------------------------------------------*/

static void begin_rules(summing *s, const toll_rules *rules, const toll_rule_question *questions,
                        toll_rule_sum *sums)
{
    for (size_t i = 0; i < rules->count; i++) {
        const toll_rule *rule = &rules->items[i];
        sums[i] = (toll_rule_sum){ .frame = TOLL_NONE, .is_labelled = !rule->has_where };
        s->is_asked[i] = questions[i].column != TOLL_NONE;
        s->rules[i] = (summed_rule){
            .asked = questions[i],
            .out = &sums[i],
            .is_all = rule->names.kind == TOLL_NAMES_ALL,
            .only_itself =
                rule->is_self || toll_rule_counts_itself(toll_rules_text(rules, rule->column)),
            .is_of_threads = toll_rule_is_of_labels(rule),
            .roots = !toll_rule_is_of_roots(rule),
        };
    }
}

/* Make room for the rules that may be on in one thread: each subject of each rule once. */
static toll_status make_room(summing *s, toll_error *err)
{
    const toll_mem *mem = toll_profile_mem(s->profile);
    size_t needed = s->subjects.labelled_count + 1;
    if (needed <= s->on_room)
        return TOLL_OK;
    toll_mem_free(mem, s->on, s->on_room, sizeof *s->on);
    s->on = toll_mem_new(mem, needed, sizeof *s->on);
    s->on_room = s->on ? needed : 0;
    return s->on ? TOLL_OK : toll_fail_nomem(err);
}

static toll_status sum_up(summing *s, const toll_rules *rules, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t next = 0; !status && next < rules->count;) {
        status = toll_rule_subjects_next(&s->subjects, s->is_asked, &next, err);
        if (!status)
            status = make_room(s, err);
        if (!status)
            walk_all(s);
    }
    for (size_t i = 0; !status && i < rules->count; i++)
        if (s->rules[i].overflow)
            status = toll_fail_rule(rules, rules->items[i].line, 0, err, TOLL_E_OVERFLOW,
                                    "the sum does not fit 64 bits");
    return status;
}

toll_status toll_rules_sum_up(const toll_rules *rules, const toll_profile *p,
                              const toll_rule_question *questions, toll_rule_sum *sums,
                              toll_error *err)
{
    const toll_mem *mem = toll_profile_mem(p);
    size_t room = rules->count + 1;
    toll_order order;
    toll_status status = toll_order_create(&order, p, err);
    if (status)
        return status;
    summing s = { .profile = p, .order = &order };
    s.rules = toll_mem_new(mem, room, sizeof *s.rules);
    s.is_asked = toll_mem_new(mem, room, sizeof *s.is_asked);
    s.open = toll_mem_new(mem, room, sizeof *s.open);
    size_t subjects = toll_subject_labels(&(toll_rule_subjects){ .order = &order }, 0);
    s.on_first = toll_mem_new(mem, subjects + 1, sizeof *s.on_first);
    status = toll_rule_subjects_create(&s.subjects, rules, &order, err);
    if (!status && !(s.rules && s.is_asked && s.open && s.on_first))
        status = toll_fail_nomem(err);
    if (!status) {
        begin_rules(&s, rules, questions, sums);
        status = sum_up(&s, rules, err);
    }
    toll_rule_subjects_free(&s.subjects);
    toll_mem_free(mem, s.rules, room, sizeof *s.rules);
    toll_mem_free(mem, s.is_asked, room, sizeof *s.is_asked);
    toll_mem_free(mem, s.open, room, sizeof *s.open);
    toll_mem_free(mem, s.on_first, subjects + 1, sizeof *s.on_first);
    toll_mem_free(mem, s.on, s.on_room, sizeof *s.on);
    toll_order_free(&order);
    return status;
}
