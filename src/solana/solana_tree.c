/* solana_tree.c - see solana_tree.h. Computes the self values of the items.
 *
 * An invocation that consumed N, with nested invocations and stretches of M units and sections of
 * S, has a self value of N - M - S. So the sum of all self values is the sum of what the outermost
 * invocations consumed; with what solana_charge.h adds, it is the transaction's charge. If figures
 * contradict each other, nothing is guessed:
 *
 *   M > N       the nested invocations keep their frames and calls, but have 0 units: N is the
 *               caller's
 *   M + S > N   the sections contain nested invocations, but the log does not show which: the
 *               sections are omitted
 *   no N        a built-in program: its total is that of the nested invocations, plus its price,
 *               which is part of a caller's N. If the parts of that N exceed it, its built-in
 *               programs have no price */
#include "solana/solana_tree.h"

#include "base/array.h"
#include "solana/known_programs.h"

#include <string.h>

enum {
    MOST_INSTRUCTIONS = 4096
}; /* distinct names of instructions; a log may contain any
    * number */

static const char *const note_texts[] = {
    [SOLANA_NOTE_NOISE] = "lines that are no program log, passed over",
    [SOLANA_NOTE_STRAY] = "program lines that fit no open invocation, passed over",
    [SOLANA_NOTE_TRUNCATED] = "truncated logs",
    [SOLANA_NOTE_UNFINISHED] = SOLANA_TEXT_UNFINISHED,
    [SOLANA_NOTE_NO_CALLER] = "invocations whose caller is not in the log",
    [SOLANA_NOTE_UNTOLD] = "invocations without a consumed line (native programs): their units are "
                           "their caller's",
    [SOLANA_NOTE_NESTED] = "built-in programs that others invoked, charged the runtime's price for "
                           "an instruction, which their caller's line includes",
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
    [SOLANA_NOTE_UNFIT] = SOLANA_TEXT_UNFIT,
    [SOLANA_NOTE_UNNAMED] = "invocations with one more name of an instruction than are kept (4096)",
};

_Static_assert(sizeof note_texts / sizeof *note_texts == SOLANA_NOTE_COUNT, "a text each");

static bool add_column(toll_solana_tree *t, toll_profile *p, const char *name, const char *unit)
{
    return toll_ok(t->failure, toll_profile_add_column(p, name, unit, NULL, t->failure->err));
}

bool toll_solana_tree_profile(toll_solana_tree *t, bool heap, toll_profile **out)
{
    toll_failure *f = t->failure;
    toll_thread_id thread;
    toll_profile *p;
    if (!toll_ok(f, toll_profile_create(&t->mem, &p, f->err)))
        return false;
    if (!(add_column(t, p, "calls", "count") && add_column(t, p, "compute units", "CU") &&
          (!heap || add_column(t, p, "heap", "bytes")) &&
          toll_ok(f, toll_profile_add_thread(p, "", &thread, f->err)))) {
        toll_profile_free(p);
        return false;
    }
    toll_profile_set_default_column(p, COLUMN_UNITS);
    t->root = toll_profile_root(p, thread);
    *out = p;
    return true;
}

bool toll_solana_tree_init(toll_solana_tree *t, const toll_mem *mem, toll_solana_names *names,
                           bool by_transaction, toll_failure *failure)
{
    *t = (toll_solana_tree){
        .mem = *mem, .failure = failure, .names = names, .by_transaction = by_transaction
    };
    toll_strtab_init(&t->strings, mem);
    toll_buffer_init(&t->text, mem);
    return toll_solana_tree_profile(t, false, &t->profile);
}

void toll_solana_tree_free(toll_solana_tree *t)
{
    toll_profile_free(t->profile);
    toll_strtab_free(&t->strings);
    toll_buffer_free(&t->text);
    toll_mem_free(&t->mem, t->frames, t->frame_capacity, sizeof *t->frames);
    toll_mem_free(&t->mem, t->items, t->capacity, sizeof *t->items);
}

bool toll_solana_tree_string(toll_solana_tree *t, const char *text, size_t size, uint32_t *out)
{
    uint32_t id = toll_strtab_add(&t->strings, text, size);
    if (id == UINT32_MAX ||
        !toll_array_grow(&t->mem, &t->frames, &t->frame_capacity, (size_t)id, 1))
        return toll_no_memory(t->failure);
    for (; t->frame_count <= id; t->frame_count++)
        t->frames[t->frame_count] =
            (toll_solana_frames){ { TOLL_NONE, TOLL_NONE, TOLL_NONE, TOLL_NONE } };
    *out = id;
    return true;
}

bool toll_solana_tree_instruction(toll_solana_tree *t, const char *text, size_t size, uint32_t *out)
{
    bool known = toll_strtab_find(&t->strings, text, size) != UINT32_MAX;
    *out = 0;
    if (!known && t->instructions >= MOST_INSTRUCTIONS) {
        t->notes[SOLANA_NOTE_UNNAMED]++;
        return true;
    }
    t->instructions += !known;
    return toll_solana_tree_string(t, text, size, out);
}

bool toll_solana_tree_add(toll_solana_tree *t, const toll_solana_item *item, uint32_t *out)
{
    if (t->count >= TOLL_NONE || !toll_array_grow(&t->mem, &t->items, &t->capacity, t->count, 1))
        return toll_no_memory(t->failure);
    *out = (uint32_t)t->count;
    t->items[t->count++] = *item;
    return true;
}

/* --- units -------------------------------------------------------------------------------------*/

/* Compute the total of an invocation without a `consumed` line: that of its callees, plus its
 * price. */
static void charge_unlogged(toll_solana_item *item)
{
    toll_solana_spent *s = &item->spent;
    bool beside = s->nested > 0 && item->sections > 0;
    item->drops_sections = beside;
    s->total = beside ? s->nested : toll_solana_add(s->nested, item->sections);
    s->total = toll_solana_add(s->total, s->self);
}

static void settle_told(toll_solana_tree *t, toll_solana_item *item)
{
    toll_solana_spent *s = &item->spent;
    if (s->nested > s->total) {
        t->notes[SOLANA_NOTE_VOID]++;
        item->is_void = item->drops_sections = true;
        s->self = s->total;
        return;
    }
    s->self = s->total - s->nested;
    item->drops_sections = item->sections > s->self;
    if (!item->drops_sections)
        s->self -= item->sections;
}

/* Set an invocation's self value; returns the units that its caller has to subtract for it. */
static int64_t charge_program(toll_solana_tree *t, toll_solana_item *item)
{
    if (item->spent.is_logged)
        settle_told(t, item);
    else
        charge_unlogged(item);
    return toll_solana_add(item->spent.total, toll_solana_add(item->spent.heap, item->spent.rest));
}

/* The same for a stretch. One with contradictory figures is omitted. */
static int64_t charge_stretch(toll_solana_tree *t, toll_solana_item *item)
{
    toll_solana_spent *s = &item->spent;
    if (!item->left_out && s->nested > s->total) {
        t->notes[SOLANA_NOTE_STRETCH]++;
        item->left_out = true;
    }
    if (item->left_out)
        return s->nested;
    s->self = s->total - s->nested;
    return s->total;
}

static uint32_t payer_of(const toll_solana_tree *t, const toll_solana_item *item)
{
    if (item->parent == TOLL_NONE)
        return TOLL_NONE;
    const toll_solana_item *around = &t->items[item->parent];
    bool pays = around->kind == ITEM_PROGRAM && around->spent.is_logged;
    return pays ? item->parent : around->payer;
}

/* Count units as a part of the payer's line. */
static void claim(toll_solana_tree *t, const toll_solana_item *item, int64_t units)
{
    if (item->payer == TOLL_NONE)
        return;
    int64_t *claimed = &t->items[item->payer].claimed;
    *claimed = toll_solana_add(*claimed, units);
}

/* Include the price of a built-in program in the line of the program that invoked it. */
static void include_price(toll_solana_tree *t, toll_solana_item *item, const char *id)
{
    toll_solana_spent *s = &item->spent;
    int64_t price = (int64_t)toll_program_price(id, toll_strtab_size(&t->strings, item->name));
    item->is_included = item->payer != TOLL_NONE && price && s->end != SOLANA_END_EXHAUSTED;
    if (!item->is_included)
        return;
    s->self = price;
    claim(t, item, price);
}

/* Called from the first item to the last, so that callers come before their callees. */
static void add_price(toll_solana_tree *t, toll_solana_item *item)
{
    static const toll_solana_note notes[] = { [SOLANA_WITHIN_CALLER] = SOLANA_NOTE_UNTOLD,
                                              [SOLANA_PRICED] = SOLANA_NOTE_PRICED,
                                              [SOLANA_UNPRICED] = SOLANA_NOTE_UNPRICED };
    const toll_solana_item *caller = item->parent == TOLL_NONE ? NULL : &t->items[item->parent];
    const char *id = toll_strtab_text(&t->strings, item->name);
    item->payer = payer_of(t, item);
    if (item->kind == ITEM_PROGRAM && item->spent.is_logged) {
        item->spent.heap = t->heap;
        claim(t, item, toll_solana_add(item->spent.total, item->spent.rest) + t->heap);
    } else if (item->kind == ITEM_SECTION && caller->kind == ITEM_PROGRAM) {
        claim(t, item, item->spent.total);
    }
    if (item->kind != ITEM_PROGRAM || item->spent.is_logged || !item->spent.finished)
        return;
    toll_solana_pricing pricing = toll_solana_price(&item->spent, caller ? &caller->spent : NULL,
                                                    id, toll_strtab_size(&t->strings, item->name));
    if (pricing == SOLANA_WITHIN_CALLER)
        include_price(t, item, id);
    t->notes[item->is_included ? SOLANA_NOTE_NESTED : notes[pricing]]++;
}

/* Drop the prices inside a payer's line that is smaller than its parts. */
static void drop_excess(toll_solana_tree *t, toll_solana_item *item)
{
    if (item->payer == TOLL_NONE ||
        t->items[item->payer].claimed <= t->items[item->payer].spent.total)
        return;
    item->spent.heap = 0;
    if (!item->is_included)
        return;
    item->is_included = false;
    item->spent.self = 0;
    t->notes[SOLANA_NOTE_NESTED]--;
    t->notes[SOLANA_NOTE_UNTOLD]++;
}

/* Set the self values from the last item to the first, so that children come before their
 * parents. */
static void charge_items(toll_solana_tree *t)
{
    for (size_t i = t->count; i-- > 0;) {
        toll_solana_item *item = &t->items[i];
        toll_solana_item *parent = item->parent == TOLL_NONE ? NULL : &t->items[item->parent];
        if (item->kind == ITEM_SECTION) {
            if (parent->kind == ITEM_PROGRAM)
                parent->sections = toll_solana_add(parent->sections, item->spent.total);
            continue;
        }
        int64_t units =
            item->kind == ITEM_PROGRAM ? charge_program(t, item) : charge_stretch(t, item);
        if (parent)
            parent->spent.nested = toll_solana_add(parent->spent.nested, units);
    }
}

/* After the self values are set: return an item's units to the line that includes them. */
static void return_units(toll_solana_tree *t, const toll_solana_item *item, int64_t units)
{
    for (uint32_t i = item->parent; i != TOLL_NONE && item->payer != TOLL_NONE;) {
        toll_solana_item *around = &t->items[i];
        around->spent.nested -= units;
        if (i == item->payer || (around->kind == ITEM_STRETCH && !around->left_out)) {
            around->spent.self += units;
            return;
        }
        around->spent.total -= around->kind == ITEM_PROGRAM ? units : 0;
        i = around->parent;
    }
}

/* Remove the prices: in this runtime built-in programs are free. */
static void drop_prices(toll_solana_tree *t)
{
    for (size_t i = 0; i < t->count; i++) {
        toll_solana_item *item = &t->items[i];
        if (item->spent.priced) {
            item->spent.self = 0;
            t->notes[SOLANA_NOTE_PRICED]--;
        } else if (item->is_included) {
            return_units(t, item, item->spent.self);
            item->spent.total -= item->spent.self;
            item->spent.self = 0;
            t->notes[SOLANA_NOTE_NESTED]--;
            t->notes[SOLANA_NOTE_UNTOLD]++;
        }
    }
}

/* Remove the heap's price: in this runtime a larger heap is free. */
static void drop_heap(toll_solana_tree *t)
{
    for (size_t i = 0; i < t->count; i++) {
        return_units(t, &t->items[i], t->items[i].spent.heap);
        t->items[i].spent.heap = 0;
    }
}

int64_t toll_solana_tree_charge(toll_solana_tree *t, const toll_solana_transaction *transaction)
{
    int64_t charged = transaction->charged;
    toll_solana_bill bill = toll_solana_bill_of(charged);
    t->heap =
        toll_solana_heap_price(toll_solana_message_heap(transaction->message), SOLANA_HEAP_COST);
    for (size_t i = 0; i < t->count; i++)
        add_price(t, &t->items[i]);
    for (size_t i = 0; i < t->count; i++)
        drop_excess(t, &t->items[i]);
    charge_items(t);
    for (size_t i = 0; i < t->count; i++)
        toll_solana_bill_add(&bill, &t->items[i].spent, t->items[i].parent == TOLL_NONE);
    toll_solana_distribution s = toll_solana_distribute(&bill);
    if (s.drops_prices)
        drop_prices(t);
    if (s.drops_heap)
        drop_heap(t);
    t->notes[SOLANA_NOTE_STOPPED] += bill.last && bill.last->rest_is_assumed;
    t->notes[SOLANA_NOTE_LESS] += s.is_less;
    t->notes[SOLANA_NOTE_UNSUMMED] += charged == SOLANA_UNLOGGED ? bill.outermost : 0;
    return s.unlogged;
}

bool toll_solana_tree_note(toll_solana_tree *t, const char *text, uint64_t count)
{
    return toll_ok(t->failure, toll_profile_add_note(t->profile, text, count, t->failure->err));
}

bool toll_solana_tree_notes(toll_solana_tree *t)
{
    for (int i = 0; i < SOLANA_NOTE_COUNT; i++)
        if (!toll_solana_tree_note(t, note_texts[i], t->notes[i]))
            return false;
    return true;
}
