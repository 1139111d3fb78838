/* speedscope_read.c - reads speedscope's JSON, sampled and evented, all profiles of a file.
 *
 * Frames may come after the profiles that use them, and value types are known only after all
 * profiles. So each profile first becomes a tree over frame indices; they are joined at the end.
 * The names "THREAD: TYPE" that Toll writes are split. Times become integer nanoseconds. */
#include "base/array.h"
#include "base/text.h"
#include "format/json_notes.h"
#include "format/sniff.h"
#include "format/speedscope.h"
#include "profile/frame_name.h"

#include <inttypes.h>
#include <string.h>

toll_sniff toll_speedscope_sniff(const uint8_t *data, size_t size)
{
    toll_sniff by_schema =
        toll_sniff_json(data, size, "speedscope.app/file-format-schema.json", NULL);
    return by_schema ? by_schema : toll_sniff_json(data, size, "\"profiles\"", "\"shared\"");
}

/* --- shared.frames -----------------------------------------------------------------------------*/

/* Add the current frame of the file. Its name and file are in the reader's buffers. */
static bool add_frame(speedscope_reader *r, int64_t line)
{
    const char *name = toll_buffer_cstr(&r->name), *file = toll_buffer_cstr(&r->file);
    toll_frame f = { .name = name && !*name ? "(unknown)" : name,
                     .file = file,
                     .line = line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0 };
    if (!name || !file || !toll_frame_demangle(&f, &r->demangled) ||
        !toll_array_grow(&r->mem, &r->frames, &r->frame_capacity, r->frame_count, 1))
        return toll_no_memory(&r->failure);
    uint32_t before = toll_profile_frame_count(r->profile);
    if (!toll_ok(&r->failure, toll_profile_add_frame(r->profile, &f, &r->frames[r->frame_count],
                                                     r->failure.err)))
        return false;
    r->alike += r->frames[r->frame_count++] < before;
    return true;
}

/* Read the next value into `out` if it is a string and *has is false. */
static bool read_text(speedscope_reader *r, toll_buffer *out, bool *has)
{
    toll_json_token t = toll_json_next(&r->j);
    if (t != TOLL_JSON_STRING || *has)
        return toll_json_skip(&r->j, t);
    *has = true;
    return toll_buffer_append(out, r->j.text.data, r->j.text.size) || toll_no_memory(&r->failure);
}

/* Read a line. A value that is not a number (null in some files) means that no line is known. */
static bool read_line(speedscope_reader *r, int64_t *line)
{
    toll_json_token t = toll_json_next(&r->j);
    if (t != TOLL_JSON_NUMBER)
        return toll_json_skip(&r->j, t);
    return toll_text_scaled(toll_json_text(&r->j), r->j.text.size, 0, line, NULL);
}

/* Read one frame, whose '{' is already read. */
static bool read_frame(void *user)
{
    speedscope_reader *r = user;
    toll_json_token t;
    bool good = true, has_name = false, has_file = false;
    int64_t line = 0;
    toll_buffer_clear(&r->name);
    toll_buffer_clear(&r->file);
    while (good && (t = toll_json_next(&r->j)) == TOLL_JSON_KEY)
        good = toll_json_is(&r->j, "name")   ? read_text(r, &r->name, &has_name)
               : toll_json_is(&r->j, "file") ? read_text(r, &r->file, &has_file)
               : toll_json_is(&r->j, "line") ? read_line(r, &line)
                                             : toll_json_skip_next(&r->j);
    if (!good || t != TOLL_JSON_OBJECT_END)
        return toll_json_fail(&r->j, TOLL_E_SYNTAX, "a malformed frame");
    if (!has_name)
        return toll_json_fail(&r->j, TOLL_E_SYNTAX, "a frame has no name");
    return add_frame(r, line);
}

static bool read_frames(speedscope_reader *r)
{
    return toll_json_array(&r->j, TOLL_JSON_OBJECT, "frames must be an array of objects",
                           read_frame, r);
}

static bool read_shared(speedscope_reader *r)
{
    toll_json_token t;
    if (!toll_json_expect(&r->j, TOLL_JSON_OBJECT, "shared must be an object"))
        return false;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY)
        if (!(toll_json_is(&r->j, "frames") ? read_frames(r) : toll_json_skip_next(&r->j)))
            return false;
    return t == TOLL_JSON_OBJECT_END;
}

/* --- the file ----------------------------------------------------------------------------------*/

static bool read_exporter(speedscope_reader *r)
{
    toll_json_token t = toll_json_next(&r->j);
    if (t == TOLL_JSON_STRING) {
        r->ours = strncmp(toll_json_text(&r->j), "toll", 4) == 0;
        r->has_stacks = strcmp(toll_json_text(&r->j), TOLL_SPEEDSCOPE_STACKS) == 0;
    }
    return toll_json_skip(&r->j, t);
}

static bool read_shown(speedscope_reader *r)
{
    toll_json_token t = toll_json_next(&r->j);
    if (t == TOLL_JSON_NUMBER &&
        !toll_text_scaled(toll_json_text(&r->j), r->j.text.size, 0, &r->shown, NULL))
        r->shown = -1;
    return toll_json_skip(&r->j, t);
}

static bool read_profiles(speedscope_reader *r)
{
    r->any_profiles = true;
    return toll_json_array(&r->j, TOLL_JSON_OBJECT, "profiles must be an array of objects",
                           toll_speedscope_read_profile, r);
}

static bool read_document(speedscope_reader *r)
{
    toll_json_token t;
    if (!toll_json_expect(&r->j, TOLL_JSON_OBJECT, "the file must hold an object"))
        return false;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY)
        if (!(toll_json_is(&r->j, "shared")               ? read_shared(r)
              : toll_json_is(&r->j, "profiles")           ? read_profiles(r)
              : toll_json_is(&r->j, "exporter")           ? read_exporter(r)
              : toll_json_is(&r->j, "activeProfileIndex") ? read_shown(r)
              : toll_json_is(&r->j, "notes")              ? toll_json_read_notes(&r->j, r->profile)
                                                          : toll_json_skip_next(&r->j)))
            return false;
    if (t != TOLL_JSON_OBJECT_END || toll_json_next(&r->j) != TOLL_JSON_END)
        return false;
    return r->any_profiles || toll_json_fail(&r->j, TOLL_E_SYNTAX,
                                             "there are no profiles; is this a speedscope file?");
}

static bool add_note(speedscope_reader *r, const char *text, uint64_t count)
{
    return toll_ok(&r->failure, toll_profile_add_note(r->profile, text, count, r->failure.err));
}

static bool finish(speedscope_reader *r)
{
    return add_note(r, "fractional values, rounded", r->fractions) &&
           add_note(r, "frames still open at the end", r->left_open) &&
           (!r->no_timeline || add_note(r, r->no_timeline, 1)) &&
           (!r->timeline ||
            toll_ok(&r->failure, toll_timeline_status(r->timeline, r->failure.err)));
}

static void clean_up(speedscope_reader *r)
{
    for (size_t i = 0; i < r->part_count; i++) {
        speedscope_part *p = &r->parts[i];
        toll_mem_free(&r->mem, p->file_name, p->name_size, 1);
        toll_mem_free(&r->mem, p->own_name, p->own_name_size, 1);
        toll_mem_free(&r->mem, p->samples, p->sample_capacity, sizeof *p->samples);
        toll_mem_free(&r->mem, p->weights, p->weight_capacity, sizeof *p->weights);
    }
    toll_tree_free(&r->tree);
    toll_mem_free(&r->mem, r->parts, r->part_capacity, sizeof *r->parts);
    toll_mem_free(&r->mem, r->frames, r->frame_capacity, sizeof *r->frames);
    toll_mem_free(&r->mem, r->timeline_frames, r->timeline_frame_count, sizeof *r->timeline_frames);
    toll_timeline_free(r->timeline);
    toll_buffer_free(&r->name);
    toll_buffer_free(&r->file);
    toll_buffer_free(&r->demangled);
    toll_json_free(&r->j);
}

toll_status toll_speedscope_read(toll_read_job *job, toll_error *err)
{
    speedscope_reader r = {
        .failure.err = err, .mem = *toll_input_mem(job->in), .job = job, .shown = -1
    };
    toll_status status = toll_profile_create(&r.mem, &r.profile, err);
    if (status)
        return status;
    toll_tree_init(&r.tree, &r.mem, SPEEDSCOPE_WIDTH);
    toll_buffer_init(&r.name, &r.mem);
    toll_buffer_init(&r.file, &r.mem);
    toll_buffer_init(&r.demangled, &r.mem);
    toll_json_begin(&r.j, job->in, &r.failure);
    if (!(read_document(&r) && toll_speedscope_join(&r) && finish(&r)))
        toll_json_fail(&r.j, TOLL_E_SYNTAX, "malformed speedscope JSON");
    if (r.failure.status) {
        toll_profile_free(r.profile);
    } else {
        if (r.alike)
            toll_format_warn(job->options,
                             "%s: %" PRIu64 " frames differ from others in their index alone, and "
                             "are counted with them",
                             toll_input_name(job->in), r.alike);
        job->profile = r.profile;
        job->timeline = r.timeline;
        r.timeline = NULL;
    }
    clean_up(&r);
    return r.failure.status;
}
