/* assembly_cells.c - finds the cost of each instruction. See assembly_data.h. */
#include "debug/assembly_data.h"

#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* --- what the profile has ----------------------------------------------------------------------*/

bool toll_assembly_is_counted(const toll_assembly *a, toll_frame_id frame)
{
    size_t file = a->s.files[frame];
    return file != SIZE_MAX && toll_profile_frame(a->s.in, frame).at_address &&
           toll_assembly_has_code(a->s.debugs[file]);
}

static int by_file_and_address(const void *a, const void *b)
{
    const toll_assembly_count *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x->frame > y->frame) - (x->frame < y->frame);
}

static int64_t value_of(const toll_assembly *a, toll_node_id node, uint32_t column)
{
    return column == TOLL_NONE ? 0 : toll_profile_self(a->s.in, node, column);
}

static bool add_node(const toll_assembly *a, toll_assembly_count *c, toll_node_id node,
                     uint32_t column)
{
    return toll_i64_add(c->self, value_of(a, node, column), &c->self) &&
           toll_i64_add(c->executions, value_of(a, node, a->s.executions), &c->executions) &&
           toll_i64_add(c->executions, value_of(a, node, a->s.blocks), &c->executions);
}

/* Sum up counts by frame, in the order of files and addresses. `places` has room for each frame. */
static toll_status sum_up(toll_assembly *a, toll_value_type value, uint32_t *places)
{
    uint32_t column = toll_profile_find_value_type(a->s.in, value);
    a->count_count = 0;
    for (toll_frame_id f = 0; f < toll_profile_frame_count(a->s.in); f++) {
        places[f] = UINT32_MAX;
        if (!toll_assembly_is_counted(a, f))
            continue;
        if (!toll_array_grow(&a->s.mem, &a->counts, &a->count_capacity, a->count_count, 1))
            return toll_fail_nomem(a->s.err);
        places[f] = (uint32_t)a->count_count;
        a->counts[a->count_count++] =
            (toll_assembly_count){ .frame = f,
                                   .file = (uint32_t)a->s.files[f],
                                   .address = toll_profile_frame(a->s.in, f).at_address };
    }
    for (toll_node_id n = 0; n < toll_profile_node_count(a->s.in); n++) {
        toll_frame_id f = toll_profile_node_frame(a->s.in, n);
        if (f != TOLL_NONE && places[f] != UINT32_MAX &&
            !add_node(a, &a->counts[places[f]], n, column))
            return toll_fail(a->s.err, TOLL_E_OVERFLOW, "a sum of executions does not fit 64 bits");
    }
    if (a->count_count)
        qsort(a->counts, a->count_count, sizeof *a->counts, by_file_and_address);
    return TOLL_OK;
}

/* --- cells -------------------------------------------------------------------------------------*/

/* Find the function of an instruction, and the line in it. */
static toll_status find_place(toll_assembly *a, const toll_frame *outer, toll_assembly_cell *c)
{
    toll_symbolizer *s = &a->s;
    const toll_debug *d = s->debugs[c->file];
    toll_frame function = *outer;
    uint32_t count =
        toll_debug_gives(d) & TOLL_DEBUG_LINES ? toll_debug_places(d, c->address, NULL, 0) : 0;
    if (!toll_array_grow(&s->mem, &s->places, &s->place_capacity, 0, (size_t)count + 1))
        return toll_fail_nomem(s->err);
    toll_debug_places(d, c->address, s->places, count);
    const toll_debug_place *place = count ? &s->places[a->inlines ? 0 : count - 1] : NULL;
    if (place && place != &s->places[count - 1])
        function = (toll_frame){
            .name = place->name, .file = place->file, .line = place->line, .kind = TOLL_KIND_INLINED
        };
    if (place && (*place->at_file || !*function.file))
        c->line = place->at_line;
    bool is_own = !c->line || strcmp(place->at_file, function.file) == 0;
    c->at_file = is_own ? "" : place->at_file;
    function.at_line = 0;
    function.at_address = 0;
    return toll_profile_add_frame(a->functions, &function, &c->function, s->err);
}

static toll_status add_cell(toll_assembly *a, const toll_frame *outer, toll_assembly_cell c)
{
    if (!toll_array_grow(&a->s.mem, &a->cells, &a->cell_capacity, a->cell_count, 1))
        return toll_fail_nomem(a->s.err);
    toll_status status = find_place(a, outer, &c);
    if (!status)
        a->cells[a->cell_count++] = c;
    return status;
}

/* The executions of the stretch at `address`, found among the counts from *at to `end`. The
 * addresses of steps increase, so *at only moves forward. */
static int64_t executions_of(const toll_assembly_count **at, const toll_assembly_count *end,
                             uint32_t stretch, bool *fits)
{
    int64_t sum = 0;
    while (*at < end && (*at)->address < stretch)
        ++*at;
    for (const toll_assembly_count *c = *at; stretch && c < end && c->address == stretch; c++)
        *fits &= toll_i64_add(sum, c->executions, &sum);
    return sum;
}

/* Add the cells of a module's function. Its counts begin at *at; `end` is the end of its file's
 * counts. */
static toll_status add_function(toll_assembly *a, const toll_assembly_count **at,
                                const toll_assembly_count *end, bool is_executions)
{
    toll_symbolizer *s = &a->s;
    toll_assembly_code *code = &a->codes[(*at)->file];
    const toll_assembly_count *first = *at, *counts = first;
    const toll_wasm_step *steps;
    size_t count;
    bool fits = true;
    uint32_t function = toll_wasm_function_at(&code->module, first->address);
    while (*at < end && toll_wasm_function_at(&code->module, (*at)->address) == function)
        ++*at;
    if (function == UINT32_MAX)
        return TOLL_OK;
    toll_frame frame = toll_profile_frame(s->in, first->frame);
    frame = toll_symbolizer_function(s->debugs[first->file], &frame);
    toll_status status =
        toll_wasm_stretches_read(code->stretches, function, &steps, &count, s->err);
    for (size_t i = 0; !status && i < count; i++) {
        toll_assembly_cell c = { .file = first->file, .address = steps[i].address };
        c.executions = executions_of(&counts, *at, steps[i].stretch, &fits);
        uint64_t cost = is_executions ? 1 : steps[i].cost;
        uint64_t times = c.executions < 0 ? 0 - (uint64_t)c.executions : (uint64_t)c.executions;
        fits &= !cost || times <= INT64_MAX / cost;
        c.self = fits ? (int64_t)((uint64_t)c.executions * cost) : 0;
        status = fits ? add_cell(a, &frame, c)
                      : toll_fail(s->err, TOLL_E_OVERFLOW,
                                  "the cost of an instruction does not "
                                  "fit 64 bits");
    }
    return status;
}

/* Add the instructions of a program's function that did not run: between two that ran, before the
 * first, and after the last. */
static toll_status add_others(toll_assembly *a, const toll_frame *frame, uint32_t file,
                              uint64_t from, uint64_t until)
{
    const toll_assembly_code *code = &a->codes[file];
    toll_status status = TOLL_OK;
    while (!status && from && from < until) {
        uint64_t next = toll_assembly_sbf_next(&code->sbf, from);
        if (next)
            status = add_cell(a, frame, (toll_assembly_cell){ .file = file, .address = from });
        from = next;
    }
    return status;
}

/* The same for a Solana program, whose counts are by instruction. */
static toll_status add_run(toll_assembly *a, const toll_assembly_count **at,
                           const toll_assembly_count *end)
{
    toll_symbolizer *s = &a->s;
    const uint32_t file = (*at)->file;
    const toll_assembly_code *code = &a->codes[file];
    toll_debug_function f;
    toll_status status = TOLL_OK;
    toll_frame frame = toll_profile_frame(s->in, (*at)->frame);
    frame = toll_symbolizer_function(s->debugs[file], &frame);
    toll_debug_find_function(s->debugs[file], (*at)->address, &f);
    uint64_t next = f.begin;
    for (; !status && *at < end && (!f.end || (*at)->address < f.end); ++*at) {
        toll_frame own = toll_profile_frame(s->in, (*at)->frame);
        own = toll_symbolizer_function(s->debugs[file], &own);
        status = add_others(a, &frame, file, next, (*at)->address);
        if (!status)
            status = add_cell(a, &own,
                              (toll_assembly_cell){ .file = file,
                                                    .address = (*at)->address,
                                                    .self = (*at)->self,
                                                    .executions = (*at)->executions });
        next = toll_assembly_sbf_next(&code->sbf, (*at)->address);
    }
    return status || !f.end ? status : add_others(a, &frame, file, next, f.end);
}

static int by_function(const void *a, const void *b)
{
    const toll_assembly_cell *x = a, *y = b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->address > y->address) - (x->address < y->address);
}

static toll_status add_cells(toll_assembly *a, toll_value_type value)
{
    toll_symbolizer *s = &a->s;
    bool is_executions = strcmp(value.type, "executions") == 0;
    const toll_assembly_count *at = a->counts, *all = at + a->count_count;
    toll_status status = TOLL_OK;
    while (!status && at < all) {
        const toll_assembly_count *end = at;
        const toll_debug *d = s->debugs[at->file];
        while (end < all && end->file == at->file)
            end++;
        status = toll_assembly_code_open(&a->codes[at->file], &s->mem, d, s->costs, s->err);
        while (!status && at < end)
            status =
                d->module.size ? add_function(a, &at, end, is_executions) : add_run(a, &at, end);
    }
    if (a->cell_count)
        qsort(a->cells, a->cell_count, sizeof *a->cells, by_function);
    return status;
}

toll_status toll_assembly_make_cells(toll_assembly *a, toll_value_type value)
{
    size_t room = (size_t)toll_profile_frame_count(a->s.in) + 1;
    uint32_t *places = toll_mem_new(&a->s.mem, room, sizeof *places);
    a->cell_count = 0;
    toll_status status = places ? sum_up(a, value, places) : toll_fail_nomem(a->s.err);
    if (!status)
        status = add_cells(a, value);
    toll_mem_free(&a->s.mem, places, room, sizeof *places);
    return status;
}
