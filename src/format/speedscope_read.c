/* speedscope_read.c - speedscope's JSON, sampled and evented, all profiles of a file.
 *
 * Frames may come after the profiles that use them, and value types are known only when all
 * profiles are: so each profile becomes a tree over frame indices first, and they are put together
 * at the end. Our own names "THREAD: TYPE" are taken apart. Times become integer nanoseconds. */
#include "base/demangle.h"
#include "base/text.h"
#include "format/json_notes.h"
#include "format/sniff.h"
#include "format/speedscope.h"

#include <string.h>

toll_sniff toll_speedscope_sniff(const uint8_t *data, size_t size)
{
    toll_sniff by_schema =
        toll_sniff_json(data, size, "speedscope.app/file-format-schema.json", NULL);
    return by_schema ? by_schema : toll_sniff_json(data, size, "\"profiles\"", "\"shared\"");
}

bool toll_speedscope_fail(speedscope_reader *r, toll_status status, const char *what)
{
    toll_json_fail(&r->j, status, what);
    return false;
}

bool toll_speedscope_ok(speedscope_reader *r, toll_status status)
{
    if (status && !r->j.status)
        r->j.status = status;
    return !r->j.status;
}

static bool is(const speedscope_reader *r, const char *key)
{
    return strcmp(toll_json_text(&r->j), key) == 0;
}

static bool skip_value(speedscope_reader *r)
{
    return toll_json_skip(&r->j, toll_json_next(&r->j));
}

/* The next token is a number: as an integer, times 10^scale. */
static bool take_number(speedscope_reader *r, int scale, int64_t *out)
{
    bool exact = true;
    if (!toll_json_expect(&r->j, TOLL_JSON_NUMBER, "a number was expected here"))
        return false;
    if (!toll_text_scaled(toll_json_text(&r->j), r->j.text.size, scale, out, &exact))
        return toll_speedscope_fail(r, TOLL_E_OVERFLOW, "a number does not fit 64 bits");
    r->fractions += !exact;
    return true;
}

static char *copy_text(speedscope_reader *r, size_t *size)
{
    *size = r->j.text.size + 1;
    char *copy = toll_mem_new(&r->mem, *size, 1);
    if (copy)
        memcpy(copy, r->j.text.data, *size);
    else
        toll_speedscope_fail(r, TOLL_E_NOMEM, "");
    return copy;
}

/* --- shared.frames -----------------------------------------------------------------------------*/

static bool add_frame(speedscope_reader *r, const char *name, const char *file, int64_t line)
{
    toll_buffer room;
    toll_buffer_init(&room, &r->mem);
    toll_frame f = { toll_demangled(name, &room), file,
                     line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0, TOLL_KIND_FUNCTION };
    void *frames = r->frames;
    bool good = f.name && toll_mem_reserve(&r->mem, &frames, &r->frame_capacity, r->frame_count + 1,
                                           sizeof *r->frames);
    r->frames = frames;
    if (!good)
        toll_speedscope_fail(r, TOLL_E_NOMEM, "");
    else
        good = toll_speedscope_ok(
            r, toll_profile_add_frame(r->profile, &f, &r->frames[r->frame_count], r->err));
    r->frame_count += good;
    toll_buffer_free(&room);
    return good;
}

static bool take_frame(speedscope_reader *r)
{
    toll_json_token t;
    char *name = NULL, *file = NULL;
    size_t name_size = 0, file_size = 0;
    int64_t line = 0;
    bool good = true;
    while (good && (t = toll_json_next(&r->j)) == TOLL_JSON_KEY) {
        char **to = is(r, "name") ? &name : is(r, "file") ? &file : NULL;
        size_t *size = to == &name ? &name_size : &file_size;
        if (is(r, "line")) {
            t = toll_json_next(&r->j);
            if (t == TOLL_JSON_NUMBER)
                good = toll_text_scaled(toll_json_text(&r->j), r->j.text.size, 0, &line, NULL);
            else
                good = toll_json_skip(&r->j, t); /* null in some files */
        } else if (to && !*to) {
            t = toll_json_next(&r->j);
            good = t == TOLL_JSON_STRING ? (*to = copy_text(r, size)) != NULL
                                         : toll_json_skip(&r->j, t);
        } else {
            good = skip_value(r);
        }
    }
    good = good && t == TOLL_JSON_OBJECT_END;
    if (good && !name)
        good = toll_speedscope_fail(r, TOLL_E_SYNTAX, "a frame has no name");
    if (good)
        good = add_frame(r, *name ? name : "(unknown)", file, line);
    toll_mem_free(&r->mem, name, name_size, 1);
    toll_mem_free(&r->mem, file, file_size, 1);
    return good ||
           (r->j.status ? false : toll_speedscope_fail(r, TOLL_E_SYNTAX, "a malformed frame"));
}

/* Each element of an array by `take`, which is called at its first token, of kind `first`. */
static bool take_array(speedscope_reader *r, toll_json_token first, const char *what,
                       bool (*take)(speedscope_reader *))
{
    toll_json_token t;
    if (!toll_json_expect(&r->j, TOLL_JSON_ARRAY, what))
        return false;
    while ((t = toll_json_next(&r->j)) == first)
        if (!take(r))
            return false;
    if (t != TOLL_JSON_ARRAY_END && t != TOLL_JSON_ERROR)
        toll_speedscope_fail(r, TOLL_E_SYNTAX, what);
    return !r->j.status;
}

static bool take_shared(speedscope_reader *r)
{
    toll_json_token t;
    if (!toll_json_expect(&r->j, TOLL_JSON_OBJECT, "shared must be an object"))
        return false;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY)
        if (!(is(r, "frames") ? take_array(r, TOLL_JSON_OBJECT,
                                           "frames must be an array of objects", take_frame)
                              : skip_value(r)))
            return false;
    return t == TOLL_JSON_OBJECT_END;
}

/* --- profiles ----------------------------------------------------------------------------------*/

static speedscope_part *current_part(speedscope_reader *r)
{
    return &r->parts[r->part_count - 1];
}

static bool take_unit(speedscope_reader *r)
{
    static const struct {
        const char *name, *unit;
        int scale;
    } units[] = { { "nanoseconds", "nanoseconds", 0 },
                  { "microseconds", "nanoseconds", 3 },
                  { "milliseconds", "nanoseconds", 6 },
                  { "seconds", "nanoseconds", 9 },
                  { "bytes", "bytes", 0 },
                  { "none", "count", 0 } };
    if (!toll_json_expect(&r->j, TOLL_JSON_STRING, "unit must be a string"))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (is(r, units[i].name)) {
            /* Our own files keep their units: their numbers are integers. */
            current_part(r)->unit = r->ours && units[i].scale ? units[i].name : units[i].unit;
            current_part(r)->scale = r->ours ? 0 : units[i].scale;
            return true;
        }
    return toll_speedscope_fail(r, TOLL_E_SYNTAX,
                                "unit must be none, nanoseconds, microseconds, milliseconds, "
                                "seconds or bytes");
}

static bool need_unit(speedscope_reader *r)
{
    return current_part(r)->scale >= 0 ||
           toll_speedscope_fail(r, TOLL_E_UNSUPPORTED,
                                "the unit stands behind the values; put it before them");
}

/* A frame index as a child of `node`. */
static toll_node *child(speedscope_reader *r, toll_node *node, int64_t index)
{
    if (index < 0 || index >= UINT32_MAX - 1) {
        toll_speedscope_fail(r, TOLL_E_SYNTAX, "a frame index is out of range");
        return NULL;
    }
    if ((uint64_t)index + 1 > r->largest_frame)
        r->largest_frame = (uint64_t)index + 1;
    node = toll_tree_child(&r->tree, node, (uint32_t)index);
    if (!node)
        toll_speedscope_fail(r, TOLL_E_NOMEM, "");
    return node;
}

/* One sample, its '[' taken: frame indices, root first. */
static bool take_sample(speedscope_reader *r)
{
    speedscope_part *p = current_part(r);
    toll_node *node = p->root;
    toll_json_token t;
    void *samples = p->samples;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_NUMBER) {
        int64_t index;
        bool exact;
        if (!toll_text_scaled(toll_json_text(&r->j), r->j.text.size, 0, &index, &exact) || !exact)
            return toll_speedscope_fail(r, TOLL_E_SYNTAX, "a frame index is out of range");
        node = child(r, node, index);
        if (!node)
            return false;
    }
    if (t != TOLL_JSON_ARRAY_END)
        return toll_speedscope_fail(r, TOLL_E_SYNTAX, "a sample must be an array of frame indices");
    if (!toll_mem_reserve(&r->mem, &samples, &p->sample_capacity, p->sample_count + 1,
                          sizeof *p->samples))
        return toll_speedscope_fail(r, TOLL_E_NOMEM, "");
    p->samples = samples;
    p->samples[p->sample_count++] = node->id;
    return true;
}

/* One weight, its token taken. */
static bool take_weight(speedscope_reader *r)
{
    speedscope_part *p = current_part(r);
    void *weights = p->weights;
    bool exact;
    if (!need_unit(r))
        return false;
    if (!toll_mem_reserve(&r->mem, &weights, &p->weight_capacity, p->weight_count + 1,
                          sizeof *p->weights))
        return toll_speedscope_fail(r, TOLL_E_NOMEM, "");
    p->weights = weights;
    if (!toll_text_scaled(toll_json_text(&r->j), r->j.text.size, p->scale,
                          &p->weights[p->weight_count], &exact))
        return toll_speedscope_fail(r, TOLL_E_OVERFLOW, "a weight does not fit 64 bits");
    p->weight_count++;
    r->fractions += !exact;
    return true;
}

static bool charge(speedscope_reader *r, speedscope_part *p, int64_t at)
{
    int64_t passed;
    if (p->started && at < p->last)
        return toll_speedscope_fail(r, TOLL_E_SYNTAX,
                                    "an event is earlier than the one before; sort the events");
    /* A thread without an open frame is idle: nobody is charged. */
    if (p->depth && (!toll_i64_sub(at, p->last, &passed) ||
                     !toll_i64_add(p->current->values[SPEEDSCOPE_WEIGHT], passed,
                                   &p->current->values[SPEEDSCOPE_WEIGHT])))
        return toll_speedscope_fail(r, TOLL_E_OVERFLOW, "times do not fit 64 bits");
    p->started = true;
    p->last = at;
    return true;
}

/* One event, its '{' taken. */
static bool take_event(speedscope_reader *r)
{
    speedscope_part *p = current_part(r);
    int64_t frame = -1, at = 0;
    char type = 0;
    bool has_at = false, good = need_unit(r);
    toll_json_token t = TOLL_JSON_ERROR;
    while (good && (t = toll_json_next(&r->j)) == TOLL_JSON_KEY) {
        if (is(r, "type")) {
            good = toll_json_expect(&r->j, TOLL_JSON_STRING, "an event's type must be a string");
            type = good ? *toll_json_text(&r->j) : 0;
        } else if (is(r, "frame")) {
            good = take_number(r, 0, &frame);
        } else if (is(r, "at")) {
            good = has_at = take_number(r, p->scale, &at);
        } else {
            good = skip_value(r);
        }
    }
    if (!good || t != TOLL_JSON_OBJECT_END)
        return r->j.status ? false : toll_speedscope_fail(r, TOLL_E_SYNTAX, "a malformed event");
    if ((type != 'O' && type != 'C') || frame < 0 || !has_at)
        return toll_speedscope_fail(r, TOLL_E_SYNTAX,
                                    "an event needs a type O or C, a frame and a time at");
    if (!charge(r, p, at))
        return false;
    if (type == 'C') {
        if (p->depth == 0 || p->current->frame != (uint64_t)frame)
            return toll_speedscope_fail(r, TOLL_E_SYNTAX,
                                        "an event closes a frame that is not the innermost one");
        p->current = p->current->parent;
        p->depth--;
        toll_speedscope_close(r, p, at);
        return true;
    }
    toll_node *node = child(r, p->current, frame);
    if (!node)
        return false;
    node->values[SPEEDSCOPE_CALLS]++;
    p->current = node;
    p->depth++;
    return toll_speedscope_open(r, p, frame, at);
}

static bool new_part(speedscope_reader *r)
{
    void *parts = r->parts;
    if (!toll_mem_reserve(&r->mem, &parts, &r->part_capacity, r->part_count + 1, sizeof *r->parts))
        return toll_speedscope_fail(r, TOLL_E_NOMEM, "");
    r->parts = parts;
    speedscope_part *p = &r->parts[r->part_count++];
    *p = (speedscope_part){ .scale = -1, .timeline_thread = TOLL_NONE };
    p->root = p->current = toll_tree_add_root(&r->tree);
    return p->root || toll_speedscope_fail(r, TOLL_E_NOMEM, "");
}

static bool take_field(speedscope_reader *r)
{
    speedscope_part *p = current_part(r);
    if (is(r, "name") && !p->name)
        return toll_json_expect(&r->j, TOLL_JSON_STRING, "a profile's name must be a string") &&
               (p->name = p->file_name = copy_text(r, &p->name_size)) != NULL;
    if (is(r, "unit"))
        return take_unit(r);
    if (is(r, "samples"))
        return take_array(r, TOLL_JSON_ARRAY, "samples must be an array of arrays", take_sample);
    if (is(r, "weights"))
        return take_array(r, TOLL_JSON_NUMBER, "weights must be an array of numbers", take_weight);
    if (is(r, "events")) {
        p->evented = true;
        return take_array(r, TOLL_JSON_OBJECT, "events must be an array of objects", take_event);
    }
    if (is(r, "endValue") && p->scale >= 0)
        return p->has_end = take_number(r, p->scale, &p->end);
    return skip_value(r);
}

static bool add_weights(speedscope_reader *r, speedscope_part *p)
{
    if (p->sample_count != p->weight_count)
        return toll_speedscope_fail(r, TOLL_E_SYNTAX,
                                    "a profile has not as many weights as samples");
    for (size_t i = 0; i < p->sample_count; i++) {
        int64_t *to = &toll_tree_node(&r->tree, p->samples[i])->values[SPEEDSCOPE_WEIGHT];
        if (!toll_i64_add(*to, p->weights[i], to))
            return toll_speedscope_fail(r, TOLL_E_OVERFLOW,
                                        "the weights of one stack do not fit 64 bits");
    }
    toll_mem_free(&r->mem, p->samples, p->sample_capacity, sizeof *p->samples);
    toll_mem_free(&r->mem, p->weights, p->weight_capacity, sizeof *p->weights);
    p->samples = NULL;
    p->weights = NULL;
    p->sample_count = p->sample_capacity = p->weight_count = p->weight_capacity = 0;
    return true;
}

/* One profile, its '{' taken. */
static bool take_profile(speedscope_reader *r)
{
    toll_json_token t;
    if (!new_part(r))
        return false;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY)
        if (!take_field(r))
            return false;
    if (t != TOLL_JSON_OBJECT_END)
        return false;
    speedscope_part *p = current_part(r);
    p->end_node = r->tree.count;
    if (p->scale < 0)
        return toll_speedscope_fail(r, TOLL_E_SYNTAX, "a profile has no unit");
    if (p->evented && p->depth) {
        r->left_open += p->depth;
        if (p->has_end && p->end > p->last && !charge(r, p, p->end))
            return false;
        for (uint32_t i = 0; i < p->depth; i++)
            toll_speedscope_close(r, p, p->last);
    }
    return add_weights(r, p);
}

/* --- the file ----------------------------------------------------------------------------------*/

static bool take_exporter(speedscope_reader *r)
{
    toll_json_token t = toll_json_next(&r->j);
    if (t == TOLL_JSON_STRING)
        r->ours = strncmp(toll_json_text(&r->j), "toll", 4) == 0;
    return toll_json_skip(&r->j, t);
}

static bool take_shown(speedscope_reader *r)
{
    toll_json_token t = toll_json_next(&r->j);
    if (t == TOLL_JSON_NUMBER &&
        !toll_text_scaled(toll_json_text(&r->j), r->j.text.size, 0, &r->shown, NULL))
        r->shown = -1;
    return toll_json_skip(&r->j, t);
}

static bool read_document(speedscope_reader *r)
{
    toll_json_token t;
    if (!toll_json_expect(&r->j, TOLL_JSON_OBJECT, "the file must hold an object"))
        return false;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY) {
        bool good;
        if (is(r, "shared"))
            good = take_shared(r);
        else if ((is(r, "profiles") && (r->any_profiles = true)))
            good = take_array(r, TOLL_JSON_OBJECT, "profiles must be an array of objects",
                              take_profile);
        else if (is(r, "exporter"))
            good = take_exporter(r);
        else if (is(r, "activeProfileIndex"))
            good = take_shown(r);
        else if (is(r, "notes"))
            good = toll_json_read_notes(&r->j, r->profile);
        else
            good = skip_value(r);
        if (!good)
            return false;
    }
    if (t != TOLL_JSON_OBJECT_END || toll_json_next(&r->j) != TOLL_JSON_END)
        return false;
    if (!r->any_profiles)
        return toll_speedscope_fail(r, TOLL_E_SYNTAX,
                                    "there are no profiles; is this a speedscope file?");
    return toll_speedscope_join(r);
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
    toll_json_free(&r->j);
}

toll_status toll_speedscope_read(toll_read_job *job, toll_error *err)
{
    speedscope_reader r = { .err = err, .mem = *toll_input_mem(job->in), .job = job, .shown = -1 };
    toll_status status = toll_profile_create(&r.mem, &r.profile, err);
    if (status)
        return status;
    toll_tree_init(&r.tree, &r.mem, SPEEDSCOPE_WIDTH);
    toll_json_begin(&r.j, job->in, err);
    if (!read_document(&r))
        status = r.j.status ? r.j.status
                            : toll_json_fail(&r.j, TOLL_E_SYNTAX, "malformed speedscope JSON");
    if (!status)
        status = toll_profile_add_note(r.profile, "fractional values, rounded", r.fractions, err);
    if (!status)
        status = toll_profile_add_note(r.profile, "frames still open at the end", r.left_open, err);
    if (!status && r.no_timeline)
        status = toll_profile_add_note(r.profile, r.no_timeline, 1, err);
    if (!status && r.timeline)
        status = toll_timeline_status(r.timeline, err);
    if (status) {
        toll_profile_free(r.profile);
    } else {
        job->profile = r.profile;
        job->timeline = r.timeline;
        r.timeline = NULL;
    }
    clean_up(&r);
    return status;
}
