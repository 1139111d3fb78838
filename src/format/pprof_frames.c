/* pprof_frames.c - see pprof_frames.h. */
#include "format/pprof_frames.h"

#include "base/array.h"
#include "format/pprof.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Fail: a location or a sample refers to an id that the file does not define. */
static bool fail_missing(pprof_reader *r, const pprof_location *l, const char *who,
                         const char *what, uint64_t id)
{
    return toll_ok(&r->failure, toll_fail_byte(r->in, l->used_at, r->failure.err, TOLL_E_SYNTAX,
                                               "a %s names %s %" PRIu64 ", which does not exist; "
                                               "fetch the file again",
                                               who, what, id));
}

/* What a location's mapping says about its frames. */
typedef struct mapped {
    pprof_mapping flags;
    const char *module, *build_id;
    int kind; /* kind of the outermost frame; the others are inlined */
} mapped;

static bool find_mapping(pprof_frames *s, const pprof_location *l, mapped *m)
{
    static const char *const names[] = PPROF_KIND_NAMES;
    *m = (mapped){ .kind = TOLL_KIND_FUNCTION, .module = "", .build_id = "" };
    if (l->mapping == 0)
        return true;
    uint32_t number = toll_u64map_find(&s->r->mapping_index, l->mapping);
    if (number == UINT32_MAX)
        return fail_missing(s->r, l, "location", "mapping", l->mapping);
    m->flags = s->r->mappings[number];
    if (!toll_pprof_text(s->r, m->flags.file, &m->module) ||
        !toll_pprof_text(s->r, m->flags.build_id, &m->build_id))
        return false;
    for (int k = 1; k < PPROF_KIND_COUNT; k++)
        if (strcmp(m->module, names[k]) == 0)
            m->kind = k;
    if (m->kind != TOLL_KIND_FUNCTION)
        m->module = m->build_id = "";
    return true;
}

/* The kind of line i of a location: all but the last are inlined. */
static int kind_at(const mapped *m, const pprof_location *l, uint32_t i)
{
    return i + 1 < l->line_count ? TOLL_KIND_INLINED : m->kind;
}

static bool add_frame(pprof_frames *s, const toll_frame *f)
{
    pprof_reader *r = s->r;
    if (!toll_array_grow(&r->mem, &s->ids, &s->capacity, s->count, 1))
        return toll_no_memory(&r->failure);
    return toll_ok(&r->failure,
                   toll_profile_add_frame(s->profile, f, &s->ids[s->count++], r->failure.err));
}

/* Find the function of a line. *file becomes the line's file, or "" if it is the function's own. */
static bool find_function(pprof_frames *s, const pprof_location *l, uint64_t id, uint32_t *number,
                          const char **file)
{
    *file = "";
    *number = toll_u64map_find(&s->r->function_index, id);
    if (*number == UINT32_MAX)
        return fail_missing(s->r, l, "location", "function", id);
    const pprof_function *function = &s->r->functions[*number];
    if (!function->part_of)
        return true;
    *number = toll_u64map_find(&s->r->function_index, function->part_of);
    if (*number == UINT32_MAX || s->r->functions[*number].part_of)
        return fail_missing(s->r, l, "function", "function", function->part_of);
    return toll_pprof_text(s->r, function->filename, file);
}

static const uint64_t *line_at(const pprof_frames *s, const pprof_location *l, uint32_t i)
{
    return &s->r->lines.items[l->first_line + 2 * (size_t)i];
}

/* A function's name depends on all other names, so all are collected before the first frame is
 * made. */
static bool collect_names(pprof_frames *s, const pprof_location *l)
{
    mapped m = { .kind = PPROF_OUTSIDE };
    const char *file;
    uint32_t number;
    if (l->line_count && !find_mapping(s, l, &m))
        return false;
    for (uint32_t i = 0; i < l->line_count && m.kind != PPROF_OUTSIDE; i++)
        if (!find_function(s, l, line_at(s, l, i)[0], &number, &file) ||
            !toll_pprof_names_add(&s->names, number, kind_at(&m, l, i)))
            return false;
    return true;
}

/* Set the place of a frame, and what is known of its module: see pprof.h. An address that is not a
 * place is omitted: it is an instruction in another tool's file. */
static bool set_place(pprof_frames *s, const pprof_location *l, uint32_t i, const mapped *m,
                      toll_frame *f)
{
    uint64_t line = line_at(s, l, i)[1];
    bool ours = l->mapping && m->flags.memory_limit == 0 && m->flags.has_functions;
    if (line > UINT32_MAX)
        return toll_ok(&s->r->failure,
                       toll_fail_byte(s->r->in, l->used_at, s->r->failure.err, TOLL_E_SYNTAX,
                                      "a location is in line %" PRId64 "; the file is damaged",
                                      (int64_t)line));
    if (m->flags.has_lines || line != f->line)
        f->at_line = (uint32_t)line;
    if (i + 1 < l->line_count)
        return true;
    f->module = m->module;
    f->build_id = m->build_id;
    if (ours && m->flags.has_filenames)
        f->address = l->address;
    else if (ours && (m->flags.has_lines || line == 0))
        f->at_address = l->address;
    else
        s->addresses += l->address != 0;
    return true;
}

static bool add_function(pprof_frames *s, const pprof_location *l, uint32_t i, const mapped *m)
{
    const char *file;
    uint32_t number;
    toll_frame frame;
    if (!find_function(s, l, line_at(s, l, i)[0], &number, &file) ||
        !toll_pprof_names_frame(&s->names, number, kind_at(m, l, i), &frame) ||
        !set_place(s, l, i, m, &frame))
        return false;
    frame.at_file = file;
    return add_frame(s, &frame);
}

static bool add_location(pprof_frames *s, const pprof_location *l)
{
    mapped m;
    if (!l->defined)
        return fail_missing(s->r, l, "sample", "location", l->id);
    if (!find_mapping(s, l, &m))
        return false;
    if (m.kind == PPROF_OUTSIDE)
        return true;
    if (l->line_count == 0) {
        char name[24];
        snprintf(name, sizeof name, "0x%" PRIx64, l->address);
        return add_frame(s, &(toll_frame){ .name = name,
                                           .kind = (toll_frame_kind)m.kind,
                                           .module = m.module,
                                           .build_id = m.build_id });
    }
    for (uint32_t i = l->line_count; i-- > 0;)
        if (!add_function(s, l, i, &m))
            return false;
    return true;
}

bool toll_pprof_frames_add(pprof_frames *s)
{
    const pprof_reader *r = s->r;
    for (size_t i = 0; i < r->location_count; i++)
        if (!collect_names(s, &r->locations[i]))
            return false;
    for (size_t i = 0; i < r->location_count; i++) {
        s->first[i] = s->count;
        if (!add_location(s, &r->locations[i]))
            return false;
    }
    s->first[r->location_count] = s->count;
    return true;
}

bool toll_pprof_frames_init(pprof_frames *s, pprof_reader *r, toll_profile *profile)
{
    *s = (pprof_frames){ .r = r, .profile = profile };
    s->first = toll_mem_new(&r->mem, r->location_count + 1, sizeof *s->first);
    return toll_pprof_names_init(&s->names, r) && s->first;
}

void toll_pprof_frames_free(pprof_frames *s)
{
    const toll_mem *mem = &s->r->mem;
    toll_mem_free(mem, s->first, s->r->location_count + 1, sizeof *s->first);
    toll_mem_free(mem, s->ids, s->capacity, sizeof *s->ids);
    toll_pprof_names_free(&s->names);
}
