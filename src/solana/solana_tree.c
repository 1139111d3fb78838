/* solana_tree.c - see solana_tree.h.
 *
 * Self values: an invocation that consumed N, with nested invocations and stretches of M units and
 * sections of S, has N - M - S of its own. So the sum of all self values is the sum of what the
 * outermost invocations consumed, and with what solana_charge.h adds, the sum that was charged.
 * Where the figures contradict each other nothing is guessed:
 *
 *   M > N       the nested invocations keep their frames and calls, and lose their units: N is the
 *               caller's
 *   M + S > N   the sections contain nested invocations, but the log does not show which: the
 *               sections are omitted
 *   no N        a built-in program: its total is that of the nested invocations, plus its price
 *               unless that is included in a caller's N */
#include "solana/solana_tree.h"

#include "base/array.h"
#include "solana/known_programs.h"

#include <stdio.h>
#include <string.h>

enum { COLUMN_CALLS, COLUMN_UNITS, COLUMN_HEAP };

static const char *const note_texts[] = {
    [SOLANA_NOTE_NOISE] = "lines that are no program log, passed over",
    [SOLANA_NOTE_STRAY] = "program lines that fit no open invocation, passed over",
    [SOLANA_NOTE_TRUNCATED] = "truncated logs",
    [SOLANA_NOTE_UNFINISHED] = "invocations without an end in the log",
    [SOLANA_NOTE_NO_CALLER] = "invocations whose caller is not in the log",
    [SOLANA_NOTE_UNTOLD] = "invocations without a consumed line (native programs): their units are "
                           "their caller's",
    [SOLANA_NOTE_UNSUMMED] = SOLANA_TEXT_UNSUMMED,
    [SOLANA_NOTE_PRICED] = SOLANA_TEXT_PRICED,
    [SOLANA_NOTE_UNPRICED] = SOLANA_TEXT_UNPRICED,
    [SOLANA_NOTE_STOPPED] = SOLANA_TEXT_STOPPED,
    [SOLANA_NOTE_LESS] = SOLANA_TEXT_LESS,
    [SOLANA_NOTE_VOID] = "invocations whose callees claim more units than they have: counted "
                         "without the callees' units",
    [SOLANA_NOTE_FAILED] = "failed invocations",
    [SOLANA_NOTE_FAILED_OUTERMOST] = "failed transactions (outermost invocations)",
    [SOLANA_NOTE_STRETCH] = "stretches between consumption lines that do not add up, left out",
    [SOLANA_NOTE_SECTION_LINE] = "section lines without an invocation or a name, passed over",
    [SOLANA_NOTE_SECTION_OPEN] = "sections that were not ended",
    [SOLANA_NOTE_CROSSING] = "sections that cross others, left out",
    [SOLANA_NOTE_DIFFERS] = "section nets that differ from their recomputed value",
    [SOLANA_NOTE_SECTIONS_OUT] = "sections that hold nested invocations or stretches, left out",
    [SOLANA_NOTE_SECTIONS_BESIDE] = "sections beside nested invocations or stretches, which they "
                                    "may hold: their units are then counted in both",
};

_Static_assert(sizeof note_texts / sizeof *note_texts == SOLANA_NOTE_COUNT, "a text each");

static toll_status begin_profile(toll_solana_tree *t, bool heap, toll_profile **out,
                                 toll_error *err)
{
    toll_thread_id thread;
    toll_profile *p;
    toll_status status = toll_profile_create(&t->mem, &p, err);
    if (status)
        return status;
    status = toll_profile_add_column(p, "calls", "count", NULL, err);
    if (!status)
        status = toll_profile_add_column(p, "compute units", "CU", NULL, err);
    if (!status && heap)
        status = toll_profile_add_column(p, "heap", "bytes", NULL, err);
    if (!status)
        status = toll_profile_add_thread(p, "", &thread, err);
    if (status) {
        toll_profile_free(p);
        return status;
    }
    toll_profile_set_default_column(p, COLUMN_UNITS);
    t->root = toll_profile_root(p, thread);
    *out = p;
    return TOLL_OK;
}

toll_status toll_solana_tree_init(toll_solana_tree *t, const toll_mem *mem,
                                  const toll_solana_names *names, toll_error *err)
{
    *t = (toll_solana_tree){ .mem = *mem, .names = names };
    toll_strtab_init(&t->strings, mem);
    return begin_profile(t, false, &t->profile, err);
}

void toll_solana_tree_free(toll_solana_tree *t)
{
    toll_profile_free(t->profile);
    toll_strtab_free(&t->strings);
    toll_mem_free(&t->mem, t->frames, t->frame_capacity, sizeof *t->frames);
    toll_mem_free(&t->mem, t->items, t->capacity, sizeof *t->items);
}

toll_status toll_solana_tree_string(toll_solana_tree *t, const char *text, size_t size,
                                    uint32_t *out, toll_error *err)
{
    uint32_t id = toll_strtab_add(&t->strings, text, size);
    if (id == UINT32_MAX ||
        !toll_array_grow(&t->mem, &t->frames, &t->frame_capacity, (size_t)id, 1))
        return toll_fail_nomem(err);
    for (; t->frame_count <= id; t->frame_count++)
        t->frames[t->frame_count] = (toll_solana_frames){ { TOLL_NONE, TOLL_NONE, TOLL_NONE } };
    *out = id;
    return TOLL_OK;
}

toll_status toll_solana_tree_add(toll_solana_tree *t, const toll_solana_item *item, uint32_t *out,
                                 toll_error *err)
{
    if (t->count >= TOLL_NONE || !toll_array_grow(&t->mem, &t->items, &t->capacity, t->count, 1))
        return toll_fail_nomem(err);
    *out = (uint32_t)t->count;
    t->items[t->count++] = *item;
    return TOLL_OK;
}

/* --- units -------------------------------------------------------------------------------------*/

/* The total of an invocation without a `consumed` line: the nested ones, and the price. */
static void settle_untold(toll_solana_item *item)
{
    bool beside = item->nested > 0 && item->sections > 0;
    item->drops_sections = beside;
    item->total = beside ? item->nested : toll_solana_add(item->nested, item->sections);
    item->total = toll_solana_add(item->total, item->self);
}

static void settle_told(toll_solana_tree *t, toll_solana_item *item)
{
    if (item->nested > item->total) {
        t->notes[SOLANA_NOTE_VOID]++;
        item->is_void = item->drops_sections = true;
        item->self = item->total;
        return;
    }
    item->self = item->total - item->nested;
    item->drops_sections = item->sections > item->self;
    if (!item->drops_sections)
        item->self -= item->sections;
}

/* Set an invocation's self value; returns the units that its caller has to subtract for it. */
static int64_t settle_program(toll_solana_tree *t, toll_solana_item *item)
{
    if (item->told)
        settle_told(t, item);
    else
        settle_untold(item);
    return toll_solana_add(item->total, item->rest);
}

/* The same for a stretch; one with contradictory figures is omitted. */
static int64_t settle_stretch(toll_solana_tree *t, toll_solana_item *item)
{
    if (!item->left_out && item->nested > item->total) {
        t->notes[SOLANA_NOTE_STRETCH]++;
        item->left_out = true;
    }
    if (item->left_out)
        return item->nested;
    item->self = item->total - item->nested;
    return item->total;
}

/* A built-in program is charged its price unless that is included in a caller's line. From the
 * first item to the last, so that callers come before their callees. */
static void add_price(toll_solana_tree *t, toll_solana_item *item)
{
    const toll_solana_item *caller = item->parent == TOLL_NONE ? NULL : &t->items[item->parent];
    const char *id = toll_strtab_text(&t->strings, item->name);
    uint64_t price = toll_program_price(id, toll_strtab_size(&t->strings, item->name));
    if (item->kind != ITEM_PROGRAM || item->told || !item->finished)
        return;
    if (caller && !caller->priced) {
        t->notes[SOLANA_NOTE_UNTOLD]++;
        return;
    }
    item->priced = price && item->end != SOLANA_END_EXHAUSTED;
    item->self = item->priced ? (int64_t)price : 0;
    t->notes[item->priced ? SOLANA_NOTE_PRICED : SOLANA_NOTE_UNPRICED]++;
}

/* From the last item to the first, so that children come before their parents. */
static void settle_items(toll_solana_tree *t)
{
    for (size_t i = t->count; i-- > 0;) {
        toll_solana_item *item = &t->items[i];
        toll_solana_item *parent = item->parent == TOLL_NONE ? NULL : &t->items[item->parent];
        if (item->kind == ITEM_SECTION) {
            if (parent->kind == ITEM_PROGRAM)
                parent->sections = toll_solana_add(parent->sections, item->total);
            continue;
        }
        int64_t units =
            item->kind == ITEM_PROGRAM ? settle_program(t, item) : settle_stretch(t, item);
        if (parent)
            parent->nested = toll_solana_add(parent->nested, units);
    }
}

/* --- what was charged --------------------------------------------------------------------------*/

/* The outermost invocations as one bill; their last one in *last. */
static toll_solana_bill make_bill(const toll_solana_tree *t, int64_t charged,
                                  toll_solana_item **last)
{
    toll_solana_bill bill = { .charged = charged, .limit = SOLANA_UNTOLD, .left = SOLANA_UNTOLD };
    *last = NULL;
    for (size_t i = 0; i < t->count; i++) {
        toll_solana_item *item = &t->items[i];
        if (item->priced)
            bill.priced = toll_solana_add(bill.priced, item->self);
        if (item->parent != TOLL_NONE)
            continue;
        if (item->told && bill.limit == SOLANA_UNTOLD)
            bill.limit = toll_solana_add(bill.known, item->budget);
        bill.known = toll_solana_add(bill.known, item->total);
        *last = item;
    }
    if (*last && (*last)->told && (*last)->failed) {
        bill.left = (*last)->budget - (*last)->total;
        bill.end = (toll_solana_end)(*last)->end;
    }
    return bill;
}

static void drop_prices(toll_solana_tree *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->items[i].priced) {
            t->items[i].self = 0;
            t->notes[SOLANA_NOTE_PRICED]--;
        }
}

/* Returns the units that were charged to the transaction and belong to no invocation. */
static int64_t settle(toll_solana_tree *t, int64_t charged)
{
    toll_solana_item *last;
    for (size_t i = 0; i < t->count; i++)
        add_price(t, &t->items[i]);
    settle_items(t);
    toll_solana_bill bill = make_bill(t, charged, &last);
    toll_solana_settlement s = toll_solana_settle(&bill);
    if (last)
        last->rest = s.rest;
    if (s.drops_prices)
        drop_prices(t);
    t->notes[SOLANA_NOTE_STOPPED] += s.is_assumed;
    t->notes[SOLANA_NOTE_LESS] += s.is_less;
    for (size_t i = 0; charged == SOLANA_UNTOLD && i < t->count; i++)
        t->notes[SOLANA_NOTE_UNSUMMED] += t->items[i].parent == TOLL_NONE;
    return s.unlogged;
}

/* --- into the profile --------------------------------------------------------------------------*/

/* The same profile with a column for heap: nodes and frames keep their ids; there are no comments.
 */
static toll_status add_heap_column(toll_solana_tree *t, toll_error *err)
{
    toll_profile *p = t->profile, *q;
    toll_frame_id frame;
    toll_node_id node;
    toll_status status = begin_profile(t, true, &q, err);
    if (status)
        return status;
    for (uint32_t i = 0; !status && i < toll_profile_frame_count(p); i++) {
        toll_frame f = toll_profile_frame(p, i);
        status = toll_profile_add_frame(q, &f, &frame, err);
    }
    for (uint32_t i = 0; !status && i < toll_profile_node_count(p); i++) {
        if (i != t->root)
            status = toll_profile_add_child(q, toll_profile_parent(p, i),
                                            toll_profile_node_frame(p, i), &node, err);
        for (uint32_t c = 0; !status && c < COLUMN_HEAP; c++)
            status = toll_profile_add_self(q, i, c, toll_profile_self(p, i, c), err);
    }
    for (uint32_t i = 0; !status && i < toll_profile_note_count(p); i++) {
        uint64_t count;
        const char *text = toll_profile_note(p, i, &count);
        status = toll_profile_add_note(q, text, count, err);
    }
    if (status) {
        toll_profile_free(q);
        return status;
    }
    toll_profile_free(p);
    t->profile = q;
    t->has_heap = true;
    return TOLL_OK;
}

static toll_status make_frame(toll_solana_tree *t, const toll_solana_item *item, toll_frame_id *out,
                              toll_error *err)
{
    const char *text = toll_strtab_text(&t->strings, item->name);
    char name[300];
    toll_frame frame = { *text ? text : "(unknown)", NULL, 0,
                         TOLL_KIND_SECTION }; /* a NUL ends it */
    if (item->kind == ITEM_PROGRAM) {
        const char *known =
            toll_solana_name_of(t->names, text, toll_strtab_size(&t->strings, item->name));
        snprintf(name, sizeof name, "%s%.250s%s", known ? "" : "program ", known ? known : text,
                 item->failed ? " (failed)" : "");
        frame = (toll_frame){ name, NULL, 0, TOLL_KIND_FUNCTION };
    }
    return toll_profile_add_frame(t->profile, &frame, out, err);
}

/* Add units that are in no invocation's line, as a frame with 0 calls. */
static toll_status add_unlogged(toll_solana_tree *t, toll_node_id parent, const char *name,
                                int64_t units, toll_error *err)
{
    const toll_frame frame = { name, NULL, 0, TOLL_KIND_NATIVE };
    toll_frame_id id;
    toll_node_id node;
    if (units == 0)
        return TOLL_OK;
    toll_status status = toll_profile_add_frame(t->profile, &frame, &id, err);
    if (!status)
        status = toll_profile_add_child(t->profile, parent, id, &node, err);
    return status ? status : toll_profile_add_self(t->profile, node, COLUMN_UNITS, units, err);
}

static toll_status enter_item(toll_solana_tree *t, toll_solana_item *item, toll_node_id parent,
                              toll_error *err)
{
    int use = item->kind != ITEM_PROGRAM ? FRAME_SECTION
              : item->failed             ? FRAME_FAILED
                                         : FRAME_PROGRAM;
    toll_frame_id *frame = &t->frames[item->name].of[use];
    toll_status status = *frame == TOLL_NONE ? make_frame(t, item, frame, err) : TOLL_OK;
    if (!status)
        status = toll_profile_add_child(t->profile, parent, *frame, &item->node, err);
    if (!status)
        status = toll_profile_add_self(t->profile, item->node, COLUMN_CALLS, 1, err);
    if (!status)
        status = toll_profile_add_self(t->profile, item->node, COLUMN_UNITS, item->self, err);
    if (!status && item->heap)
        status = toll_profile_add_self(t->profile, item->node, COLUMN_HEAP, item->heap, err);
    return status ? status : add_unlogged(t, item->node, SOLANA_FRAME_REST, item->rest, err);
}

/* Apply to an item what follows from a parent with contradictory figures. */
static void inherit(toll_solana_tree *t, toll_solana_item *item, const toll_solana_item *parent)
{
    if (parent->is_void) {
        item->is_void = item->drops_sections = true;
        item->self = item->rest = 0;
    }
    if (item->kind != ITEM_SECTION)
        return;
    item->left_out = parent->kind == ITEM_SECTION ? parent->left_out : parent->drops_sections;
    t->notes[SOLANA_NOTE_SECTIONS_OUT] += item->left_out;
    t->notes[SOLANA_NOTE_SECTIONS_BESIDE] +=
        !item->left_out && parent->kind == ITEM_PROGRAM && parent->nested > 0;
}

static toll_status commit_item(toll_solana_tree *t, toll_solana_item *item, toll_error *err)
{
    toll_node_id node = t->root;
    if (item->parent != TOLL_NONE) {
        inherit(t, item, &t->items[item->parent]);
        node = t->items[item->parent].node;
    }
    item->node = node;
    if (item->left_out)
        return TOLL_OK;
    if (item->heap && !t->has_heap) {
        toll_status status = add_heap_column(t, err);
        if (status)
            return status;
    }
    return enter_item(t, item, node, err);
}

toll_status toll_solana_tree_commit(toll_solana_tree *t, int64_t charged, toll_error *err)
{
    toll_status status = TOLL_OK;
    int64_t unlogged = settle(t, charged);
    for (size_t i = 0; !status && i < t->count; i++)
        status = commit_item(t, &t->items[i], err);
    t->count = 0;
    return status ? status : add_unlogged(t, t->root, SOLANA_FRAME_UNLOGGED, unlogged, err);
}

toll_status toll_solana_tree_notes(toll_solana_tree *t, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (int i = 0; !status && i < SOLANA_NOTE_COUNT; i++)
        status = toll_profile_add_note(t->profile, note_texts[i], t->notes[i], err);
    return status;
}
