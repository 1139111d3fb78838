/* pprof_sample.c - adds samples of a pprof file to a tree over location numbers, with a root for
 * each distinct list of labels. See pprof_read.h. */
#include "base/array.h"
#include "base/text.h"
#include "format/pprof.h"
#include "format/pprof_read.h"

/* Read a label. *is_number: its value is a number, so it is omitted. */
static bool read_label(pprof_reader *r, toll_wire label, bool *is_number)
{
    uint64_t fields[5] = { 0 };
    toll_wire_field f;
    int more;
    while ((more = toll_wire_next(&label, &f)) == 1)
        if (f.number <= PPROF_LABEL_NUM_UNIT && f.type == TOLL_WIRE_VARINT)
            fields[f.number] = f.value;
    if (more < 0)
        return toll_pprof_bad(r, "a label is malformed");
    if (!fields[PPROF_LABEL_STR] || fields[PPROF_LABEL_NUM]) { /* a number: it may differ in each
                                                                * sample */
        *is_number = true;
        toll_pprof_leave_out_label(r, fields[PPROF_LABEL_KEY]);
    }
    if (!fields[PPROF_LABEL_STR])
        return true;
    return toll_pprof_push(r, &r->labels, fields[PPROF_LABEL_KEY]) &&
           toll_pprof_push(r, &r->labels, fields[PPROF_LABEL_STR]);
}

/* The root for samples with exactly these labels; NULL: no memory. */
static toll_node *root_for_labels(pprof_reader *r)
{
    uint32_t id = toll_strtab_add(&r->label_sets, (const char *)r->labels.items,
                                  r->labels.count * sizeof *r->labels.items);
    if (id == UINT32_MAX)
        return NULL;
    while (r->root_count <= id) {
        if (!toll_array_grow(&r->mem, &r->roots, &r->root_capacity, r->root_count, 1))
            return NULL;
        r->roots[r->root_count++] = NULL;
    }
    if (!r->roots[id])
        r->roots[id] = toll_tree_add_root(&r->tree);
    return r->roots[id];
}

/* The node for the locations in r->stack. NULL: it failed. */
static toll_node *unpacked_stack(pprof_reader *r, toll_node *node)
{
    for (size_t i = r->stack.count; node && i-- > 0;) { /* the file has the leaf first */
        uint32_t number;
        if (!toll_pprof_location(r, r->stack.items[i], &number))
            return NULL;
        node = toll_tree_child(&r->tree, node, number);
    }
    if (!node)
        toll_no_memory(&r->failure);
    return node;
}

/* Add a sample. Its locations are in one packed list, as tools write it, or in r->stack. */
static bool add_sample(pprof_reader *r, const toll_wire *packed)
{
    toll_node *root = root_for_labels(r);
    if (!root)
        return toll_no_memory(&r->failure);
    toll_node *node = packed ? toll_pprof_stack(r, root, *packed) : unpacked_stack(r, root);
    if (!node)
        return false;
    for (size_t i = 0; i < r->values.count; i++)
        if (!toll_i64_add(node->values[i], (int64_t)r->values.items[i], &node->values[i]))
            return toll_ok(&r->failure,
                           toll_fail_byte(r->in, r->field_offset, r->failure.err, TOLL_E_OVERFLOW,
                                          "the values of one stack do not fit 64 bits"));
    return true;
}

/* All samples have the same number of values; the value types may come after the samples. */
static bool check_value_count(pprof_reader *r)
{
    size_t expected = r->tree_made    ? r->tree.width
                      : r->type_count ? r->type_count
                                      : r->values.count;
    if (r->values.count != expected || expected > TOLL_MAX_COLUMNS)
        return toll_ok(
            &r->failure,
            toll_fail_byte(r->in, r->field_offset, r->failure.err, TOLL_E_SYNTAX,
                           "a sample has %zu values, not %zu", r->values.count,
                           expected > TOLL_MAX_COLUMNS ? (size_t)TOLL_MAX_COLUMNS : expected));
    if (!r->tree_made)
        toll_tree_init(&r->tree, &r->mem, (uint32_t)expected);
    return r->tree_made = true;
}

/* Read a field of a sample's locations, the `lists`th. *first keeps the first of them, which is
 * decoded only if another one follows or if it is not a list. */
static bool read_locations(pprof_reader *r, toll_wire_field *f, toll_wire_field *first,
                           unsigned lists)
{
    if (lists == 0) {
        *first = *f;
        return f->type == TOLL_WIRE_BYTES || toll_pprof_take_numbers(r, f, &r->stack);
    }
    if (lists == 1 && first->type == TOLL_WIRE_BYTES &&
        !toll_pprof_take_numbers(r, first, &r->stack))
        return false;
    return toll_pprof_take_numbers(r, f, &r->stack);
}

bool toll_pprof_read_sample(pprof_reader *r, toll_wire sample)
{
    toll_wire_field f, packed;
    unsigned lists = 0;
    bool good = true, is_numbered = false;
    int more = 1;
    r->stack.count = r->values.count = r->labels.count = 0;
    while (good && (more = toll_wire_next(&sample, &f)) == 1) {
        if (f.number == PPROF_SAMPLE_LOCATION_ID)
            good = read_locations(r, &f, &packed, lists++);
        else if (f.number == PPROF_SAMPLE_VALUE)
            good = toll_pprof_take_numbers(r, &f, &r->values);
        else if (f.number == PPROF_SAMPLE_LABEL && f.type == TOLL_WIRE_BYTES)
            good = read_label(r, f.bytes, &is_numbered);
    }
    if (good && more < 0)
        return toll_pprof_bad(r, "a sample is malformed");
    r->numbered_samples += is_numbered;
    bool is_packed = lists == 1 && packed.type == TOLL_WIRE_BYTES;
    return good && check_value_count(r) && add_sample(r, is_packed ? &packed.bytes : NULL);
}
