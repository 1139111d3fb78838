/* solana_commit.c - adds the items of a completed transaction to the profile, with the names that
 * its data gives its instructions. See solana_tree.h. */
#include "sections/section_place.h"
#include "solana/solana_tree.h"

#include <inttypes.h>

/* --- a profile with one more column ------------------------------------------------------------*/

static bool copy_node(toll_solana_tree *t, toll_profile *to, toll_node_id i)
{
    const toll_profile *from = t->profile;
    toll_failure *f = t->failure;
    toll_node_id node;
    if (i != t->root &&
        !toll_ok(f, toll_profile_add_child(to, toll_profile_parent(from, i),
                                           toll_profile_node_frame(from, i), &node, f->err)))
        return false;
    for (uint32_t c = 0; c < COLUMN_HEAP; c++)
        if (!toll_ok(f, toll_profile_add_self(to, i, c, toll_profile_self(from, i, c), f->err)))
            return false;
    return true;
}

/* Copy everything to an empty profile. Nodes and frames keep their ids. */
static bool copy_profile(toll_solana_tree *t, toll_profile *to)
{
    const toll_profile *from = t->profile;
    toll_failure *f = t->failure;
    toll_frame_id id;
    for (uint32_t i = 0; i < toll_profile_frame_count(from); i++) {
        toll_frame frame = toll_profile_frame(from, i);
        if (!toll_ok(f, toll_profile_add_frame(to, &frame, &id, f->err)))
            return false;
    }
    for (uint32_t i = 0; i < toll_profile_node_count(from); i++)
        if (!copy_node(t, to, i))
            return false;
    for (uint32_t i = 0; i < toll_profile_note_count(from); i++) {
        uint64_t count;
        const char *text = toll_profile_note(from, i, &count);
        if (!toll_ok(f, toll_profile_add_note(to, text, count, f->err)))
            return false;
    }
    return true;
}

/* Replace the profile by one with a column for heap. It has no comments yet. */
static bool add_heap_column(toll_solana_tree *t)
{
    toll_profile *with_heap;
    if (!toll_solana_tree_profile(t, true, &with_heap))
        return false;
    if (!copy_profile(t, with_heap)) {
        toll_profile_free(with_heap);
        return false;
    }
    toll_profile_free(t->profile);
    t->profile = with_heap;
    t->has_heap = true;
    return true;
}

/* --- frames ------------------------------------------------------------------------------------*/

/* Get the frame for one use of a string; a new one is made with `name`. */
static bool add_frame(toll_solana_tree *t, const toll_frame *frame, toll_frame_id *out)
{
    return toll_ok(t->failure, toll_profile_add_frame(t->profile, frame, out, t->failure->err));
}

static bool keep_frame(toll_solana_tree *t, toll_frame_id *frame, const char *name, uint8_t kind)
{
    toll_frame made = { .name = name, .kind = kind };
    return name ? add_frame(t, &made, frame) : toll_no_memory(t->failure);
}

/* Get the string `ID INSTRUCTION`, or the ID if there is no instruction. */
static bool label_of(toll_solana_tree *t, const toll_solana_item *item, uint32_t *out)
{
    *out = item->name;
    if (!item->instruction)
        return true;
    toll_buffer_clear(&t->text);
    toll_buffer_append_format(&t->text, "%s %s", toll_strtab_text(&t->strings, item->name),
                              toll_strtab_text(&t->strings, item->instruction));
    const char *text = toll_buffer_cstr(&t->text);
    return text ? toll_solana_tree_string(t, text, t->text.size, out) : toll_no_memory(t->failure);
}

static bool program_frame(toll_solana_tree *t, const toll_solana_item *item, toll_frame_id *out)
{
    uint32_t label;
    bool failed = item->spent.failed;
    const char *id = toll_strtab_text(&t->strings, item->name);
    size_t size = toll_strtab_size(&t->strings, item->name);
    if (!label_of(t, item, &label))
        return false;
    toll_frame_id *frame = &t->frames[label].of[failed ? FRAME_FAILED : FRAME_PROGRAM];
    toll_solana_names_use(t->names, id, size);
    bool good =
        *frame != TOLL_NONE ||
        keep_frame(t, frame,
                   toll_solana_frame_name(&t->text, t->names, id, size,
                                          toll_strtab_text(&t->strings, item->instruction), failed),
                   TOLL_KIND_PROGRAM);
    *out = *frame;
    return good;
}

static bool section_frame(toll_solana_tree *t, const toll_solana_item *item, toll_frame_id *out)
{
    toll_frame_id *frame = &t->frames[item->name].of[FRAME_SECTION];
    toll_frame made;
    bool good = true;
    if (*frame == TOLL_NONE)
        good = toll_section_frame(&t->text, toll_strtab_text(&t->strings, item->name),
                                  toll_strtab_size(&t->strings, item->name), &made)
                   ? add_frame(t, &made, frame)
                   : toll_no_memory(t->failure);
    *out = *frame;
    return good;
}

/* --- nodes -------------------------------------------------------------------------------------*/

static bool add_child(toll_solana_tree *t, toll_node_id parent, toll_frame_id frame,
                      toll_node_id *out)
{
    return toll_ok(t->failure,
                   toll_profile_add_child(t->profile, parent, frame, out, t->failure->err));
}

static bool add_self(toll_solana_tree *t, toll_node_id node, uint32_t column, int64_t value)
{
    return toll_ok(t->failure,
                   toll_profile_add_self(t->profile, node, column, value, t->failure->err));
}

/* Add units that no invocation's line explains, as a frame with 0 calls. */
static bool add_unlogged(toll_solana_tree *t, toll_node_id parent, const char *name, int64_t units)
{
    const toll_frame frame = { .name = name, .kind = TOLL_KIND_NATIVE };
    toll_frame_id id;
    toll_node_id node;
    return units == 0 ||
           (toll_ok(t->failure, toll_profile_add_frame(t->profile, &frame, &id, t->failure->err)) &&
            add_child(t, parent, id, &node) && add_self(t, node, COLUMN_UNITS, units));
}

static bool enter_item(toll_solana_tree *t, toll_solana_item *item, toll_node_id parent)
{
    toll_frame_id frame;
    return (item->kind == ITEM_PROGRAM ? program_frame(t, item, &frame)
                                       : section_frame(t, item, &frame)) &&
           add_child(t, parent, frame, &item->node) && add_self(t, item->node, COLUMN_CALLS, 1) &&
           add_self(t, item->node, COLUMN_UNITS, item->spent.self) &&
           (!item->heap || add_self(t, item->node, COLUMN_HEAP, item->heap)) &&
           add_unlogged(t, item->node, SOLANA_FRAME_HEAP, item->spent.heap) &&
           add_unlogged(t, item->node, SOLANA_FRAME_REST, item->spent.rest);
}

/* Pass on to an item the effects of contradictory figures in its parent. */
static void inherit(toll_solana_tree *t, toll_solana_item *item, const toll_solana_item *parent)
{
    if (parent->is_void) {
        item->is_void = item->drops_sections = true;
        item->spent.self = item->spent.heap = item->spent.rest = 0;
    }
    if (item->kind != ITEM_SECTION)
        return;
    item->left_out = parent->kind == ITEM_SECTION ? parent->left_out : parent->drops_sections;
    t->notes[SOLANA_NOTE_SECTIONS_OUT] += item->left_out;
    t->notes[SOLANA_NOTE_SECTIONS_BESIDE] +=
        !item->left_out && parent->kind == ITEM_PROGRAM && parent->spent.nested > 0;
}

static bool commit_item(toll_solana_tree *t, toll_solana_item *item, toll_node_id root)
{
    toll_node_id node = root;
    if (item->parent != TOLL_NONE) {
        inherit(t, item, &t->items[item->parent]);
        node = t->items[item->parent].node;
    }
    item->node = node;
    if (item->left_out)
        return true;
    return (!item->heap || t->has_heap || add_heap_column(t)) && enter_item(t, item, node);
}

/* --- the transaction ---------------------------------------------------------------------------*/

/* Name an instruction by the transaction's data, which shows it even if the program does not log
 * it. */
static bool name_instruction(toll_solana_tree *t, toll_solana_item *item, toll_solana_message *m)
{
    const char *id = toll_strtab_text(&t->strings, item->name);
    size_t size = toll_strtab_size(&t->strings, item->name);
    const toll_solana_instruction *i = toll_solana_message_next(m, item->height, id, size);
    t->notes[SOLANA_NOTE_UNFIT] += !i && m->outer.count && (item->height == 1 || m->inner.count);
    if (!i)
        return true;
    toll_buffer_clear(&t->text);
    if (!toll_solana_append_instruction(&t->text, t->names, m, i, id, size))
        return toll_no_memory(t->failure);
    return t->text.size == 0 || toll_solana_tree_instruction(t, (const char *)t->text.data,
                                                             t->text.size, &item->instruction);
}

static bool name_instructions(toll_solana_tree *t, toll_solana_message *message)
{
    bool good = true;
    for (size_t i = 0; good && (message->outer.count || message->inner.count) && i < t->count; i++)
        good = t->items[i].kind != ITEM_PROGRAM || name_instruction(t, &t->items[i], message);
    return good;
}

/* Add the root of a transaction, with one call. */
static bool add_transaction(toll_solana_tree *t, const toll_solana_message *message,
                            toll_node_id *root)
{
    const char *name = toll_solana_message_at(message, message->name);
    uint32_t id = 0;
    toll_buffer_clear(&t->text);
    if (*name)
        toll_buffer_append_text(&t->text, name);
    else
        toll_buffer_append_format(&t->text, "transaction %" PRIu64, t->transactions);
    name = toll_buffer_cstr(&t->text);
    if (!name)
        return toll_no_memory(t->failure);
    if (!toll_solana_tree_string(t, name, t->text.size, &id))
        return false;
    toll_frame_id *frame = &t->frames[id].of[FRAME_TRANSACTION];
    return (*frame != TOLL_NONE || keep_frame(t, frame, name, TOLL_KIND_FUNCTION)) &&
           add_child(t, t->root, *frame, root) && add_self(t, *root, COLUMN_CALLS, 1);
}

/* A log that is cut off lacks what the invocation consumed, and often its end. Its end may be
 * there: the runtime logs what still fits into the limit, which a short line does. */
static bool lacks_figures(const toll_solana_tree *t, const toll_solana_spent *spent)
{
    return !spent->is_logged && !spent->priced && (t->is_cut || !spent->finished);
}

/* Where the units are that are not in a log which is cut off: under the only outermost invocation
 * that lacks figures, if all instructions of the message that ran are in the log; else under the
 * root. */
static toll_node_id unlogged_parent(const toll_solana_tree *t,
                                    const toll_solana_transaction *transaction, toll_node_id root)
{
    toll_solana_message *message = transaction->message;
    toll_node_id node = root;
    size_t lacking = 0;
    const char *id;
    if (message->outer.count == 0)
        return root;
    for (size_t i = 0; i < t->count; i++) {
        const toll_solana_item *item = &t->items[i];
        if (item->kind != ITEM_PROGRAM || item->parent != TOLL_NONE ||
            !lacks_figures(t, &item->spent))
            continue;
        lacking++;
        node = item->node;
    }
    const toll_solana_instruction *next;
    while ((next = toll_solana_message_rest(message, transaction->failed, &id)) != NULL &&
           next->height != 1)
        continue;
    return lacking == 1 && !next && !message->misses ? node : root;
}

bool toll_solana_tree_commit(toll_solana_tree *t, const toll_solana_transaction *transaction)
{
    toll_node_id root = t->root;
    int64_t unlogged = toll_solana_tree_charge(t, transaction);
    bool is_empty = t->count == 0 && unlogged == 0;
    t->transactions += !is_empty;
    bool good = name_instructions(t, transaction->message) &&
                (!t->by_transaction || is_empty || add_transaction(t, transaction->message, &root));
    for (size_t i = 0; good && i < t->count; i++)
        good = commit_item(t, &t->items[i], root);
    good = good &&
           add_unlogged(t, unlogged_parent(t, transaction, root), SOLANA_FRAME_UNLOGGED, unlogged);
    t->count = 0;
    t->is_cut = false;
    return good;
}
