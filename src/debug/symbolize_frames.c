/* symbolize_frames.c - frames out of debug information. See symbolizer.h. */
#include "base/array.h"
#include "base/os.h"
#include "debug/symbolizer.h"

#include <string.h>

/* --- which file has it -------------------------------------------------------------------------*/

/* Without an id, as a file of debug information alone may be, the name must do. */
static bool is_of(const toll_frame *frame, const toll_debug *debug)
{
    const char *id = toll_debug_build_id(debug);
    return *id && *frame->build_id
               ? strcmp(frame->build_id, id) == 0
               : *frame->module &&
                     strcmp(frame->module, toll_os_file_name(toll_debug_path(debug))) == 0;
}

/* Nothing in the profile is of this file. */
static toll_status fail_unused(const toll_symbolizer *s, const toll_debug *debug)
{
    const char *path = toll_debug_path(debug), *id = toll_debug_build_id(debug);
    for (toll_frame_id f = 0; f < toll_profile_frame_count(s->in); f++) {
        toll_frame frame = toll_profile_frame(s->in, f);
        if (*frame.build_id && strcmp(frame.module, toll_os_file_name(path)) == 0)
            return toll_fail(s->err, TOLL_E_ARGUMENT,
                             "%s: is of build %s, and the profile of build %s; name the file that "
                             "was profiled, or profile this one",
                             path, id, frame.build_id);
    }
    return toll_fail(s->err, TOLL_E_NOT_FOUND,
                     "%s: nothing in the profile is of this program (build %s); name the one that "
                     "was profiled",
                     path, *id ? id : "not known");
}

toll_status toll_symbolizer_match(toll_symbolizer *s)
{
    toll_frame_id count = toll_profile_frame_count(s->in);
    for (toll_frame_id f = 0; f < count; f++)
        s->files[f] = SIZE_MAX;
    for (size_t i = 0; i < s->debug_count; i++) {
        bool any = false;
        for (toll_frame_id f = 0; f < count; f++) {
            toll_frame frame = toll_profile_frame(s->in, f);
            if (!is_of(&frame, s->debugs[i]))
                continue;
            any = true;
            if (s->files[f] == SIZE_MAX)
                s->files[f] = i;
        }
        if (!any)
            return fail_unused(s, s->debugs[i]);
    }
    return TOLL_OK;
}

/* --- functions ---------------------------------------------------------------------------------*/

/* A name without a file and line keeps what distinguishes it, #INDEX. Files keep one
 * address of a frame, that of the place if there is one. A source map, what is left here of split
 * DWARF, and -gline-tables-only have lines, and no functions with files: then the file is that of
 * the function's first line. A line that was found before stays in its own file. */
toll_frame toll_symbolizer_function(const toll_debug *debug, const toll_frame *frame)
{
    toll_frame result = *frame;
    toll_debug_function f;
    result.at_address = 0;
    result.at_file = !frame->at_line ? "" : *frame->at_file ? frame->at_file : frame->file;
    uint64_t address = frame->address ? frame->address : frame->at_address;
    if (!address || !toll_debug_find_function(debug, address, &f))
        return result;
    if (*f.file) {
        result.name = f.name;
        result.file = f.file;
        result.line = f.line;
    }
    if (!*f.file && toll_debug_gives(debug) & TOLL_DEBUG_LINES)
        result.file = toll_debug_file_by_lines(debug, address);
    if (*f.system_name && strcmp(f.system_name, result.name) != 0)
        result.system_name = f.system_name;
    return result;
}

/* --- places ------------------------------------------------------------------------------------*/

static toll_status add_node(toll_symbolizer *s, toll_node_id parent, const toll_frame *frame,
                            toll_node_id *out)
{
    toll_frame_id id;
    toll_status status = toll_profile_add_frame(s->out, frame, &id, s->err);
    return status ? status : toll_profile_add_child(s->out, parent, id, out, s->err);
}

/* A line has a file of its own, which most often is its function's. One of no known file could only
 * be guessed to be in that. */
static void set_line(toll_symbolizer *s, toll_frame *frame, const toll_debug_place *place)
{
    bool has_file = *place->at_file || !*frame->file;
    frame->at_line = has_file ? place->at_line : 0;
    frame->at_file = place->at_file;
    if (!frame->at_line)
        s->lineless++;
}

/* The places of an address, into s->places. */
static toll_status find_places(toll_symbolizer *s, const toll_debug *debug, uint64_t address,
                               uint32_t *count)
{
    *count = toll_debug_places(debug, address, NULL, 0);
    if (!toll_array_grow(&s->mem, &s->places, &s->place_capacity, 0, (size_t)*count + 1))
        return toll_fail_nomem(s->err);
    toll_debug_places(debug, address, s->places, *count);
    return TOLL_OK;
}

toll_status toll_symbolizer_lacks_line(toll_symbolizer *s, const toll_debug *debug,
                                       uint64_t address, bool *out)
{
    uint32_t count;
    toll_status status = find_places(s, debug, address, &count);
    *out = !status && count && s->places[s->inlines ? 0 : count - 1].at_line == 0;
    return status;
}

toll_status toll_symbolizer_add_place(toll_symbolizer *s, const toll_debug *debug,
                                      const toll_frame *frame, uint64_t address,
                                      toll_node_id parent, toll_node_id *out)
{
    uint32_t count;
    toll_frame function = toll_symbolizer_function(debug, frame);
    toll_status status = find_places(s, debug, address, &count);
    if (status)
        return status;
    if (!(toll_debug_gives(debug) & TOLL_DEBUG_LINES) || count == 0) {
        function.at_address = address;
        s->unknown++;
        return add_node(s, parent, &function, out);
    }
    set_line(s, &function, &s->places[count - 1]);
    status = add_node(s, parent, &function, out);
    for (uint32_t i = s->inlines ? count - 1 : 0; !status && i-- > 0;) {
        const toll_debug_place *place = &s->places[i];
        toll_frame inlined = { .name = place->name,
                               .file = place->file,
                               .line = place->line,
                               .kind = TOLL_KIND_INLINED,
                               .system_name = place->system_name,
                               .module = frame->module,
                               .build_id = frame->build_id };
        set_line(s, &inlined, place);
        status = add_node(s, *out, &inlined, out);
    }
    return status;
}
