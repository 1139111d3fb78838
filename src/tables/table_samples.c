/* table_samples.c - the rows of samples. See tables_data.h. */
#include "tables/tables_data.h"

#include "base/fail.h"
#include "tables/table_unit.h"

#include <inttypes.h>
#include <string.h>

/* A text of many rows. */
typedef struct text {
    const char *data;
    size_t size;
} text;

static text text_of(const char *data)
{
    return (text){ data, strlen(data) };
}

/* The nodes of the profile that is being added. */
typedef struct nodes {
    toll_mem mem;
    text name; /* of the profile */
    const toll_profile *profile;
    uint32_t count, frame_count, thread_count, columns;
    toll_node_id *parents, *stacks; /* stacks: numbers of toll_known_stacks */
    toll_frame_id *frames, *functions;
    toll_thread_id *threads;
    text *thread_names; /* by thread */
    int64_t *self;
} nodes;

static void free_nodes(nodes *n)
{
    toll_mem_free(&n->mem, n->parents, n->count, sizeof *n->parents);
    toll_mem_free(&n->mem, n->stacks, n->count, sizeof *n->stacks);
    toll_mem_free(&n->mem, n->frames, n->count, sizeof *n->frames);
    toll_mem_free(&n->mem, n->functions, n->frame_count, sizeof *n->functions);
    toll_mem_free(&n->mem, n->threads, n->count, sizeof *n->threads);
    toll_mem_free(&n->mem, n->thread_names, n->thread_count, sizeof *n->thread_names);
    toll_mem_free(&n->mem, n->self, (size_t)n->count * n->columns, sizeof *n->self);
}

/* Blocks of no bytes may be NULL: there is nothing to read then. */
static bool allocate(nodes *n)
{
    size_t values;
    if (!toll_size_mul(n->count, n->columns, &values))
        return false;
    n->parents = toll_mem_new(&n->mem, n->count, sizeof *n->parents);
    n->stacks = toll_mem_new(&n->mem, n->count, sizeof *n->stacks);
    n->frames = toll_mem_new(&n->mem, n->count, sizeof *n->frames);
    n->functions = toll_mem_new(&n->mem, n->frame_count, sizeof *n->functions);
    n->threads = toll_mem_new(&n->mem, n->count, sizeof *n->threads);
    n->thread_names = toll_mem_new(&n->mem, n->thread_count, sizeof *n->thread_names);
    n->self = toll_mem_new(&n->mem, values, sizeof *n->self);
    return (!n->count || (n->parents && n->stacks && n->frames && n->threads)) &&
           (!n->frame_count || n->functions) && (!n->thread_count || n->thread_names) &&
           (!values || n->self);
}

static toll_status find_functions(toll_known_stacks *known, nodes *n, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < n->frame_count; i++) {
        toll_frame frame = toll_profile_frame(n->profile, i);
        status = toll_known_function(known, &frame, &n->functions[i], err);
    }
    return status;
}

/* Find the stack and thread of each node. A parent comes before its children. */
static toll_status find_stacks(toll_known_stacks *known, nodes *n, toll_error *err)
{
    toll_status status =
        toll_profile_nodes(n->profile, n->count, n->parents, n->frames, n->self, err);
    for (toll_thread_id i = 0; !status && i < n->thread_count; i++) {
        n->threads[toll_profile_root(n->profile, i)] = i;
        n->thread_names[i] = text_of(toll_profile_thread_name(n->profile, i));
    }
    for (uint32_t i = 0; !status && i < n->count; i++) {
        toll_node_id parent = n->parents[i];
        if (parent == TOLL_NONE)
            continue; /* a root: stack 0 */
        n->threads[i] = n->threads[parent];
        status = toll_known_stack(known, n->stacks[parent], n->functions[n->frames[i]],
                                  &n->stacks[i], err);
    }
    return status;
}

/* --- rows --------------------------------------------------------------------------------------*/

/* A column of the profile, in the unit of the table. */
typedef struct values {
    const int64_t *self;
    toll_value_type type;
    const char *unit;
    int64_t times;
    text type_text, unit_text;
} values;

static size_t put_text(toll_arrow_column *column, text t)
{
    toll_arrow_put_text(column, t.data, t.size);
    return t.size;
}

static toll_status put_value(const nodes *n, const values *v, int64_t value,
                             toll_arrow_column *column, toll_error *err)
{
    if (v->times != 1 && (value > INT64_MAX / v->times || value < INT64_MIN / v->times))
        return toll_fail(err, TOLL_E_OVERFLOW,
                         "%.200s: %" PRId64
                         " %s of %s do not fit 64 bits as %s; leave the file out",
                         n->name.data, value, v->type.unit, v->type.type, v->unit);
    toll_arrow_put_i64(column, value * v->times);
    return TOLL_OK;
}

static toll_status put_row(toll_tables *t, const nodes *n, uint32_t node, const values *v,
                           toll_error *err)
{
    toll_arrow_column **to = t->waiting[TOLL_TABLE_SAMPLES].rows->children;
    const toll_thread_id thread = n->threads[node];
    size_t bytes = toll_tables_put_labels(t, to[TOLL_SAMPLES_LABELS], t->labels.threads[thread]);
    bytes += put_text(to[TOLL_SAMPLES_PROFILE], n->name);
    bytes += put_text(to[TOLL_SAMPLES_THREAD], n->thread_names[thread]);
    bytes += put_text(to[TOLL_SAMPLES_COLUMN], v->type_text);
    bytes += put_text(to[TOLL_SAMPLES_UNIT], v->unit_text);
    toll_arrow_put_i64(to[TOLL_SAMPLES_STACK], t->known.stacks.ids[n->stacks[node]]);
    toll_status status = put_value(n, v, v->self[node], to[TOLL_SAMPLES_VALUE], err);
    return status ? status : toll_tables_end_row(t, TOLL_TABLE_SAMPLES, bytes, err);
}

static toll_status put_column(toll_tables *t, const nodes *n, const values *v, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t node = 0; !status && node < n->count; node++) {
        if (!v->self[node])
            continue;
        status = toll_tables_use_stack(t, n->stacks[node], err);
        if (!status)
            status = put_row(t, n, node, v, err);
    }
    return status;
}

/* Two columns that differ only in a unit which is scaled would be counted twice. */
static toll_status check_columns(const nodes *n, toll_error *err)
{
    int64_t times;
    for (uint32_t a = 0; a < n->columns; a++)
        for (uint32_t b = 0; b < a; b++) {
            toll_value_type x = toll_profile_column(n->profile, a);
            toll_value_type y = toll_profile_column(n->profile, b);
            if (strcmp(x.type, y.type) == 0 &&
                strcmp(toll_table_unit(x.unit, &times), toll_table_unit(y.unit, &times)) == 0)
                return toll_fail(err, TOLL_E_UNSUPPORTED,
                                 "%.200s: has %s in %s and in %s, which would be added up in a "
                                 "table; leave the file out",
                                 n->name.data, x.type, y.unit, x.unit);
        }
    return TOLL_OK;
}

static toll_status put_columns(toll_tables *t, const nodes *n, toll_error *err)
{
    toll_status status = check_columns(n, err);
    for (uint32_t c = 0; !status && c < n->columns; c++) {
        values v = { .self = n->self + (size_t)c * n->count,
                     .type = toll_profile_column(n->profile, c) };
        v.unit = toll_table_unit(v.type.unit, &v.times);
        v.type_text = text_of(v.type.type);
        v.unit_text = text_of(v.unit);
        status = put_column(t, n, &v, err);
    }
    return status;
}

toll_status toll_tables_add_samples(toll_tables *t, const char *name, const toll_profile *p,
                                    toll_error *err)
{
    nodes n = { .mem = t->mem,
                .name = text_of(name),
                .profile = p,
                .count = toll_profile_node_count(p),
                .frame_count = toll_profile_frame_count(p),
                .thread_count = toll_profile_thread_count(p),
                .columns = toll_profile_column_count(p) };
    toll_status status = allocate(&n) ? TOLL_OK : toll_fail_nomem(err);
    if (!status)
        status = find_functions(&t->known, &n, err);
    if (!status)
        status = find_stacks(&t->known, &n, err);
    if (!status)
        status = put_columns(t, &n, err);
    free_nodes(&n);
    return status;
}
