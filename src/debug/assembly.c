/* assembly.c - lists the instructions of a function, each with its cost. See toll/debug.h. */
#include "base/array.h"
#include "base/sized_options.h"
#include "debug/assembly_data.h"
#include "profile/order.h"

#include <stdlib.h>
#include <string.h>

static void forget_type(toll_assembly *a)
{
    if (a->type)
        toll_mem_free(&a->s.mem, a->type, strlen(a->type) + 1, 1);
    a->type = NULL;
}

/* Make the cells, unless they exist for this value already. */
static toll_status make(toll_assembly *a, toll_value_type value, toll_error *err)
{
    size_t size = strlen(value.type) + 1;
    if (a->type && strcmp(a->type, value.type) == 0)
        return TOLL_OK;
    forget_type(a);
    a->s.err = err;
    toll_status status = toll_assembly_make_cells(a, value);
    char *type = status ? NULL : toll_mem_new(&a->s.mem, size, 1);
    if (type)
        a->type = memcpy(type, value.type, size);
    return status || type ? status : toll_fail_nomem(err);
}

/* --- the instructions of a function ------------------------------------------------------------*/

static int by_line(const void *a, const void *b)
{
    const toll_instruction *x = a, *y = b;
    int by = strcmp(x->file, y->file);
    if (by)
        return by;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->address > y->address) - (x->address < y->address);
}

/* Append an instruction. Its text is an offset until all instructions are appended. */
static bool append(toll_assembly *a, const toll_assembly_cell *c, size_t count)
{
    if (!toll_array_grow(&a->s.mem, &a->list, &a->list_capacity, count, 1))
        return false;
    a->list[count] = (toll_instruction){ .address = c->address,
                                         .text = (const char *)(uintptr_t)a->texts.size,
                                         .self = c->self,
                                         .executions = c->executions,
                                         .line = c->line,
                                         .file = c->at_file };
    return toll_assembly_code_append_text(&a->codes[c->file], c->address, &a->texts) &&
           toll_buffer_append_byte(&a->texts, 0);
}

/* Append the instructions of a function, whose cells are adjacent. With a file: only instructions
 * of lines in that file. */
static bool append_function(toll_assembly *a, toll_frame_id function, const char *file,
                            size_t *count)
{
    const char *own = toll_profile_frame(a->functions, function).file;
    size_t low = 0, high = a->cell_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->cells[middle].function < function)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < a->cell_count && a->cells[low].function == function; low++) {
        toll_assembly_cell c = a->cells[low];
        if (file && strcmp(*c.at_file ? c.at_file : own, file) != 0)
            continue;
        c.at_file = file ? "" : c.at_file;
        if (!append(a, &c, (*count)++))
            return false;
    }
    return true;
}

/* Append a function and its inlined code, which are one function, as in reports. */
static bool append_kinds(toll_assembly *a, toll_frame *wanted, size_t *count)
{
    bool has_two = wanted->kind == TOLL_KIND_FUNCTION || wanted->kind == TOLL_KIND_INLINED;
    toll_frame_id id = toll_profile_find_frame(a->functions, wanted);
    bool good = id == TOLL_NONE || append_function(a, id, NULL, count);
    if (!has_two || !good)
        return good;
    wanted->kind = wanted->kind == TOLL_KIND_INLINED ? TOLL_KIND_FUNCTION : TOLL_KIND_INLINED;
    id = toll_profile_find_frame(a->functions, wanted);
    return id == TOLL_NONE || append_function(a, id, NULL, count);
}

toll_status toll_assembly_instructions(void *assembly, const toll_frame *function,
                                       toll_value_type value, const toll_instruction **list,
                                       size_t *count, toll_error *err)
{
    toll_assembly *a = assembly;
    if (!a || !function || !function->name || !list || !count)
        return toll_fail_null(err, !a ? "assembly" : !function ? "function" : "list");
    *list = NULL;
    *count = 0;
    toll_status status = make(a, value, err);
    toll_frame wanted = *function;
    wanted.at_line = 0;
    wanted.at_address = 0;
    bool good = true;
    toll_buffer_clear(&a->texts);
    if (!status && *wanted.name)
        good = append_kinds(a, &wanted, count);
    for (toll_frame_id f = 0; !status && good && !*wanted.name && wanted.file &&
                              f < toll_profile_frame_count(a->functions);
         f++)
        good = append_function(a, f, wanted.file, count);
    if (!status && !good)
        status = toll_fail_nomem(err);
    if (status || !*count)
        return status;
    for (size_t i = 0; i < *count; i++)
        a->list[i].text = (const char *)a->texts.data + (uintptr_t)a->list[i].text;
    qsort(a->list, *count, sizeof *a->list, by_line);
    *list = a->list;
    return TOLL_OK;
}

/* --- life --------------------------------------------------------------------------------------*/

static toll_status check(const toll_assembly *a)
{
    for (toll_frame_id f = 0; f < toll_profile_frame_count(a->s.in); f++)
        if (toll_assembly_is_counted(a, f))
            return TOLL_OK;
    return toll_fail(a->s.err, TOLL_E_NOT_FOUND,
                     "the profile has no addresses of %s; record it with toll run --lines, into "
                     "a .pb.gz",
                     a->s.debug_count ? toll_debug_path(a->s.debugs[0]) : "any program");
}

static toll_status begin(toll_assembly *a)
{
    toll_symbolizer *s = &a->s;
    s->executions = toll_profile_find_column(s->in, "executions");
    s->blocks = toll_profile_find_column(s->in, TOLL_BLOCK_EXECUTIONS);
    s->files = toll_mem_new(&s->mem, (size_t)toll_profile_frame_count(s->in) + 1, sizeof *s->files);
    a->codes = toll_mem_new(&s->mem, s->debug_count + 1, sizeof *a->codes);
    if (!s->files || !a->codes)
        return toll_fail_nomem(s->err);
    toll_status status = toll_symbolizer_match(s);
    if (!status)
        status = check(a);
    return status ? status : toll_profile_create(&s->mem, &a->functions, s->err);
}

toll_status toll_assembly_create(const toll_profile *profile, const toll_debug *const *debugs,
                                 size_t count, const toll_assembly_options *options,
                                 toll_assembly **out, toll_error *err)
{
    toll_assembly_options own;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (!profile || (!debugs && count))
        return toll_fail_null(err, profile ? "debugs" : "profile");
    toll_status status = toll_options_copy(&own, sizeof own, options, "toll_assembly_options", err);
    if (status)
        return status;
    const toll_mem *mem = toll_profile_mem(profile);
    toll_assembly *a = toll_mem_new(mem, 1, sizeof *a);
    if (!a)
        return toll_fail_nomem(err);
    a->s = (toll_symbolizer){ .mem = *mem,
                              .in = profile,
                              .debugs = debugs,
                              .debug_count = count,
                              .costs = own.costs,
                              .err = err };
    a->inlines = own.inlines;
    toll_buffer_init(&a->texts, mem);
    status = begin(a);
    if (status)
        toll_assembly_free(a);
    else
        *out = a;
    return status;
}

void toll_assembly_free(toll_assembly *a)
{
    if (!a)
        return;
    toll_mem mem = a->s.mem;
    for (size_t i = 0; a->codes && i < a->s.debug_count; i++)
        toll_assembly_code_free(&a->codes[i]);
    toll_mem_free(&mem, a->codes, a->s.debug_count + 1, sizeof *a->codes);
    toll_mem_free(&mem, a->s.files, (size_t)toll_profile_frame_count(a->s.in) + 1,
                  sizeof *a->s.files);
    toll_mem_free(&mem, a->s.places, a->s.place_capacity, sizeof *a->s.places);
    toll_mem_free(&mem, a->cells, a->cell_capacity, sizeof *a->cells);
    toll_mem_free(&mem, a->counts, a->count_capacity, sizeof *a->counts);
    toll_mem_free(&mem, a->list, a->list_capacity, sizeof *a->list);
    forget_type(a);
    toll_profile_free(a->functions);
    toll_buffer_free(&a->texts);
    toll_mem_free(&mem, a, 1, sizeof *a);
}
