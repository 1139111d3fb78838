/* sbf_programs.c - the traced programs, and their frames. See sbf_programs.h. */
#include "base/array.h"
#include "sbf/sbf_programs.h"

#include <inttypes.h>
#include <string.h>

static bool make_frame(toll_sbf_programs *all, const char *id, const char *instruction,
                       bool has_failed, uint32_t one_of, toll_frame_id *out)
{
    toll_frame frame = { .name = toll_solana_frame_name(&all->name, all->names, id, strlen(id),
                                                        instruction, has_failed),
                         .kind = TOLL_KIND_PROGRAM };
    if (one_of > 1) {
        toll_buffer_append_format(&all->name, " (one of %" PRIu32 ")", one_of);
        frame.name = toll_buffer_cstr(&all->name);
    }
    if (!frame.name)
        return toll_no_memory(all->failure);
    return toll_ok(all->failure,
                   toll_recorder_add_frame(all->recorder, &frame, out, all->failure->err));
}

void toll_sbf_programs_init(toll_sbf_programs *all, const toll_mem *mem)
{
    *all = (toll_sbf_programs){ .mem = *mem };
    toll_u64map_init(&all->syscalls, mem);
    toll_buffer_init(&all->path, mem);
    toll_buffer_init(&all->name, mem);
}

static void free_text(toll_sbf_programs *all, toll_sbf_program *p)
{
    toll_sbf_starts_free(&p->starts, &all->mem);
    if (p->has_constants)
        toll_sbf_logged_free(&p->logged);
    if (p->text && p == &all->list[p->owner])
        toll_mem_free(&all->mem, (void *)(uintptr_t)p->text, p->text_size, 1);
}

void toll_sbf_programs_free(toll_sbf_programs *all)
{
    for (size_t i = 0; i < all->count; i++) {
        toll_u64map_free(&all->list[i].frames);
        toll_u64map_free(&all->list[i].places);
        free_text(all, &all->list[i]);
    }
    for (size_t i = 0; i < all->build_count; i++)
        toll_sbf_symbols_free(&all->builds[i].symbols);
    toll_mem_free(&all->mem, all->builds, all->build_capacity, sizeof *all->builds);
    toll_mem_free(&all->mem, all->list, all->capacity, sizeof *all->list);
    toll_u64map_free(&all->syscalls);
    toll_buffer_free(&all->path);
    toll_buffer_free(&all->name);
}

static bool make_program(toll_sbf_programs *all, const char *id)
{
    if (!toll_array_grow(&all->mem, &all->list, &all->capacity, all->count, 1))
        return toll_no_memory(all->failure);
    toll_sbf_program *p = &all->list[all->count++];
    *p = (toll_sbf_program){ .id = id, .build = TOLL_SBF_NONE, .entry = UINT64_MAX };
    toll_u64map_init(&p->frames, &all->mem);
    toll_u64map_init(&p->places, &all->mem);
    toll_solana_names_use(all->names, id, strlen(id));
    return make_frame(all, id, "", false, 0, &p->frame) &&
           make_frame(all, id, "", true, 0, &p->failed_frame);
}

bool toll_sbf_invocation_frame(toll_sbf_programs *all, uint32_t program, const char *instruction,
                               bool has_failed, uint32_t one_of, toll_frame_id *out)
{
    const toll_sbf_program *p = &all->list[program];
    *out = has_failed ? p->failed_frame : p->frame;
    return (!*instruction && one_of < 2) ||
           make_frame(all, p->id, instruction, has_failed, one_of, out);
}

bool toll_sbf_add_program(toll_sbf_programs *all, const char *id, uint32_t *out)
{
    uint32_t name = toll_strtab_add(all->strings, id, strlen(id));
    if (name == UINT32_MAX)
        return toll_no_memory(all->failure);
    id = toll_strtab_text(all->strings, name);
    for (*out = 0; *out < all->count; ++*out)
        if (all->list[*out].id == id)
            return true;
    return make_program(all, id);
}

/* --- with its code -----------------------------------------------------------------------------*/

static bool has_code(const toll_sbf_program *p, const uint8_t *text, size_t size)
{
    return p->text_size == size && (size == 0 || memcmp(p->text, text, size) == 0);
}

/* Tests deploy one program under many addresses: its code is kept once. */
static bool keep_text(toll_sbf_programs *all, toll_sbf_program *p, const uint8_t *text, size_t size)
{
    const toll_sbf_program *same = all->list;
    while (same < p && !has_code(same, text, size))
        same++;
    p->text = same->text;
    p->owner = (uint32_t)(same - all->list);
    if (same == p) {
        uint8_t *copy = toll_mem_new(&all->mem, size, 1);
        if (!copy)
            return toll_no_memory(all->failure);
        memcpy(copy, text, size);
        p->text = copy;
    }
    p->text_size = size;
    return true;
}

bool toll_sbf_add_code(toll_sbf_programs *all, const char *id, const uint8_t *text, size_t size,
                       uint32_t *out)
{
    uint32_t name = toll_strtab_add(all->strings, id, strlen(id));
    if (name == UINT32_MAX)
        return toll_no_memory(all->failure);
    id = toll_strtab_text(all->strings, name);
    for (*out = 0; *out < all->count; ++*out)
        if (all->list[*out].id == id && has_code(&all->list[*out], text, size))
            return true;
    return make_program(all, id) && (size == 0 || keep_text(all, &all->list[*out], text, size));
}

bool toll_sbf_add_constants(toll_sbf_programs *all, uint32_t program,
                            const toll_sbf_constants *constants)
{
    toll_sbf_program *p = &all->list[all->list[program].owner];
    if (!p->text || p->has_constants)
        return true;
    p->has_constants = true;
    return toll_sbf_logged_find(&p->logged, &all->mem, p->text, p->text_size, constants) ||
           toll_no_memory(all->failure);
}
