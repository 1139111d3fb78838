/* known_stacks.c - see known_stacks.h. */
#include "tables/known_stacks.h"

#include "base/array.h"
#include "base/blake2b.h"
#include "base/fail.h"
#include "base/text.h"

#include <string.h>

const char *toll_known_kind(toll_frame_kind kind)
{
    static const char *const names[TOLL_KIND_COUNT] = {
        [TOLL_KIND_FUNCTION] = "function", [TOLL_KIND_NATIVE] = "native",
        [TOLL_KIND_SECTION] = "section",   [TOLL_KIND_PHASE] = "phase",
        [TOLL_KIND_INLINED] = "inlined",   [TOLL_KIND_PROGRAM] = "program",
    };
    return names[kind];
}

static bool ids_add(toll_known_ids *known, const toll_mem *mem, uint64_t id)
{
    if (!toll_array_grow(mem, &known->ids, &known->capacity, known->count, 1) ||
        !toll_u64map_add(&known->taken, id, (uint32_t)known->count))
        return false;
    known->ids[known->count++] = (int64_t)id;
    return true;
}

static void ids_free(toll_known_ids *known, const toll_mem *mem)
{
    toll_mem_free(mem, known->ids, known->capacity, sizeof *known->ids);
    toll_u64map_free(&known->taken);
}

toll_status toll_known_init(toll_known_stacks *known, const toll_mem *mem, toll_error *err)
{
    *known = (toll_known_stacks){ .mem = *mem, .mask = UINT64_MAX };
    toll_u64map_init(&known->functions.taken, mem);
    toll_u64map_init(&known->stacks.taken, mem);
    toll_buffer_init(&known->is_row, mem);
    toll_buffer_init(&known->text, mem);
    toll_status status = toll_profile_create(mem, &known->all, err);
    if (!status)
        status = toll_profile_add_thread(known->all, "", NULL, err);
    if (!status &&
        (!ids_add(&known->stacks, mem, 0) || !toll_buffer_append_byte(&known->is_row, 0)))
        status = toll_fail_nomem(err);
    return status;
}

void toll_known_free(toll_known_stacks *known)
{
    toll_profile_free(known->all);
    ids_free(&known->functions, &known->mem);
    ids_free(&known->stacks, &known->mem);
    toll_buffer_free(&known->is_row);
    toll_buffer_free(&known->text);
}

/* Give the text in the buffer an id. */
static toll_status add_id(toll_known_stacks *known, toll_known_ids *ids, const char *what,
                          toll_error *err)
{
    if (known->text.failed)
        return toll_fail_nomem(err);
    uint64_t id = toll_blake2b_8(known->text.data, known->text.size) & known->mask;
    if (toll_u64map_find(&ids->taken, id) != UINT32_MAX)
        return toll_fail(err, TOLL_E_LIMIT,
                         "two %s have the id %lld; export fewer profiles at a time", what,
                         (long long)id);
    return ids_add(ids, &known->mem, id) ? TOLL_OK : toll_fail_nomem(err);
}

/* NAME NUL FILE NUL LINE NUL KIND */
static void put_function(toll_buffer *text, const toll_frame *f)
{
    char line[20];
    toll_buffer_clear(text);
    toll_buffer_append(text, f->name, strlen(f->name) + 1);
    toll_buffer_append(text, f->file, strlen(f->file) + 1);
    toll_buffer_append(text, line, toll_text_put_u64(line, f->line));
    toll_buffer_append_byte(text, 0);
    toll_buffer_append_text(text, toll_known_kind(f->kind));
}

toll_status toll_known_function(toll_known_stacks *known, const toll_frame *frame,
                                toll_frame_id *number, toll_error *err)
{
    toll_frame f = {
        .name = frame->name, .file = frame->file, .line = frame->line, .kind = frame->kind
    };
    toll_status status = toll_profile_add_frame(known->all, &f, number, err);
    if (status || *number < known->functions.count)
        return status;
    put_function(&known->text, &f);
    return add_id(known, &known->functions, "functions", err);
}

static void put_id(toll_buffer *text, int64_t id)
{
    for (unsigned i = 0; i < 64; i += 8)
        toll_buffer_append_byte(text, (uint8_t)((uint64_t)id >> i));
}

toll_status toll_known_stack(toll_known_stacks *known, toll_node_id caller, toll_frame_id function,
                             toll_node_id *number, toll_error *err)
{
    toll_status status = toll_profile_add_child(known->all, caller, function, number, err);
    if (status || *number < known->stacks.count)
        return status;
    toll_buffer_clear(&known->text);
    put_id(&known->text, known->functions.ids[function]);
    put_id(&known->text, known->stacks.ids[caller]);
    if (!toll_buffer_append_byte(&known->is_row, 0))
        return toll_fail_nomem(err);
    return add_id(known, &known->stacks, "stacks", err);
}
