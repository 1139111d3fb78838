/* speedscope_read.c - speedscope's JSON, sampled and evented, all profiles of a file.
 *
 * Frames may come after the profiles that use them, and value types are known only when all profiles
 * are: so each profile becomes a tree over frame indices first, and they are put together at the
 * end. Our own names "THREAD: TYPE" are taken apart again. Times become integer nanoseconds. */
#include "base/fail.h"
#include "base/json_read.h"
#include "base/text.h"
#include "format/formats.h"
#include "format/sniff.h"
#include "profile/ctx_tree.h"

#include <string.h>

enum { WEIGHT, CALLS, WIDTH }; /* values of a part's nodes */

/* One profile of the file. */
typedef struct part {
    char *name;
    size_t name_size;
    const char *unit; /* ours */
    int scale;        /* power of ten from the file's unit to ours; -1: unit not told yet */
    bool evented;
    toll_tree tree;
    toll_node *root;
    /* sampled: the node of each sample, and weights */
    uint32_t *samples;
    int64_t *weights;
    size_t sample_count, sample_capacity, weight_count, weight_capacity;
    /* evented */
    toll_node *current;
    uint32_t depth;
    bool started;
    int64_t last, end;
    bool has_end;
} part;

typedef struct speedscope_reader {
    toll_json j;
    toll_error *err;
    toll_mem mem;
    toll_read_job *job;
    toll_profile *profile;
    toll_frame_id *frames; /* by index in the file */
    size_t frame_count, frame_capacity;
    part *parts;
    size_t part_count, part_capacity;
    bool ours; /* exporter "toll" */
    bool any_profiles;
    uint64_t fractions, left_open;
    uint64_t largest_frame; /* index used, plus 1 */
} speedscope_reader;

toll_sniff toll_speedscope_sniff(const uint8_t *data, size_t size)
{
    toll_sniff by_schema =
        toll_sniff_json(data, size, "speedscope.app/file-format-schema.json", NULL);
    return by_schema ? by_schema : toll_sniff_json(data, size, "\"profiles\"", "\"shared\"");
}

static bool fail(speedscope_reader *r, toll_status status, const char *what)
{
    toll_json_fail(&r->j, status, what);
    return false;
}

static bool ok(speedscope_reader *r, toll_status status)
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
        return fail(r, TOLL_E_OVERFLOW, "a number does not fit 64 bits");
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
        fail(r, TOLL_E_NOMEM, "");
    return copy;
}

/* --- shared.frames ------------------------------------------------------------------------------*/

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
        good = fail(r, TOLL_E_SYNTAX, "a frame has no name");
    if (good) {
        toll_frame f = { *name ? name : "(unknown)", file,
                         line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0, TOLL_KIND_FUNCTION };
        void *frames = r->frames;
        if (!toll_mem_reserve(&r->mem, &frames, &r->frame_capacity, r->frame_count + 1,
                              sizeof *r->frames)) {
            good = fail(r, TOLL_E_NOMEM, "");
        } else {
            r->frames = frames;
            good = ok(r, toll_profile_add_frame(r->profile, &f, &r->frames[r->frame_count], r->err));
            r->frame_count += good;
        }
    }
    toll_mem_free(&r->mem, name, name_size, 1);
    toll_mem_free(&r->mem, file, file_size, 1);
    return good || (r->j.status ? false : fail(r, TOLL_E_SYNTAX, "a malformed frame"));
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
        fail(r, TOLL_E_SYNTAX, what);
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

/* --- profiles -----------------------------------------------------------------------------------*/

static part *current_part(speedscope_reader *r)
{
    return &r->parts[r->part_count - 1];
}

static bool take_unit(speedscope_reader *r)
{
    static const struct {
        const char *name, *unit;
        int scale;
    } units[] = { { "nanoseconds", "nanoseconds", 0 }, { "microseconds", "nanoseconds", 3 },
                  { "milliseconds", "nanoseconds", 6 }, { "seconds", "nanoseconds", 9 },
                  { "bytes", "bytes", 0 },              { "none", "count", 0 } };
    if (!toll_json_expect(&r->j, TOLL_JSON_STRING, "unit must be a string"))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (is(r, units[i].name)) {
            current_part(r)->unit = units[i].unit;
            current_part(r)->scale = units[i].scale;
            return true;
        }
    return fail(r, TOLL_E_SYNTAX, "unit must be none, nanoseconds, microseconds, milliseconds, "
                                  "seconds or bytes");
}

static bool need_unit(speedscope_reader *r)
{
    return current_part(r)->scale >= 0 ||
           fail(r, TOLL_E_UNSUPPORTED, "the unit stands behind the values; put it before them");
}

/* A frame index as a child of `node`. */
static toll_node *child(speedscope_reader *r, toll_node *node, int64_t index)
{
    part *p = current_part(r);
    if (index < 0 || index >= UINT32_MAX - 1) {
        fail(r, TOLL_E_SYNTAX, "a frame index is out of range");
        return NULL;
    }
    if ((uint64_t)index + 1 > r->largest_frame)
        r->largest_frame = (uint64_t)index + 1;
    node = toll_tree_child(&p->tree, node, (uint32_t)index);
    if (!node)
        fail(r, TOLL_E_NOMEM, "");
    return node;
}

/* One sample, its '[' taken: frame indices, root first. */
static bool take_sample(speedscope_reader *r)
{
    part *p = current_part(r);
    toll_node *node = p->root;
    toll_json_token t;
    void *samples = p->samples;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_NUMBER) {
        int64_t index;
        bool exact;
        if (!toll_text_scaled(toll_json_text(&r->j), r->j.text.size, 0, &index, &exact) || !exact)
            return fail(r, TOLL_E_SYNTAX, "a frame index is out of range");
        node = child(r, node, index);
        if (!node)
            return false;
    }
    if (t != TOLL_JSON_ARRAY_END)
        return fail(r, TOLL_E_SYNTAX, "a sample must be an array of frame indices");
    if (!toll_mem_reserve(&r->mem, &samples, &p->sample_capacity, p->sample_count + 1,
                          sizeof *p->samples))
        return fail(r, TOLL_E_NOMEM, "");
    p->samples = samples;
    p->samples[p->sample_count++] = node->id;
    return true;
}

/* One weight, its token taken. */
static bool take_weight(speedscope_reader *r)
{
    part *p = current_part(r);
    void *weights = p->weights;
    bool exact;
    if (!need_unit(r))
        return false;
    if (!toll_mem_reserve(&r->mem, &weights, &p->weight_capacity, p->weight_count + 1,
                          sizeof *p->weights))
        return fail(r, TOLL_E_NOMEM, "");
    p->weights = weights;
    if (!toll_text_scaled(toll_json_text(&r->j), r->j.text.size, p->scale,
                          &p->weights[p->weight_count], &exact))
        return fail(r, TOLL_E_OVERFLOW, "a weight does not fit 64 bits");
    p->weight_count++;
    r->fractions += !exact;
    return true;
}

static bool charge(speedscope_reader *r, part *p, int64_t at)
{
    int64_t passed;
    if (p->started && at < p->last)
        return fail(r, TOLL_E_SYNTAX, "an event is earlier than the one before; sort the events");
    if (p->started && (!toll_i64_sub(at, p->last, &passed) ||
                       !toll_i64_add(p->current->values[WEIGHT], passed,
                                     &p->current->values[WEIGHT])))
        return fail(r, TOLL_E_OVERFLOW, "times do not fit 64 bits");
    p->started = true;
    p->last = at;
    return true;
}

/* One event, its '{' taken. */
static bool take_event(speedscope_reader *r)
{
    part *p = current_part(r);
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
        return r->j.status ? false : fail(r, TOLL_E_SYNTAX, "a malformed event");
    if ((type != 'O' && type != 'C') || frame < 0 || !has_at)
        return fail(r, TOLL_E_SYNTAX, "an event needs a type O or C, a frame and a time at");
    if (!charge(r, p, at))
        return false;
    if (type == 'C') {
        if (p->depth == 0 || p->current->frame != (uint64_t)frame)
            return fail(r, TOLL_E_SYNTAX, "an event closes a frame that is not the innermost one");
        p->current = p->current->parent;
        p->depth--;
        return true;
    }
    toll_node *node = child(r, p->current, frame);
    if (!node)
        return false;
    node->values[CALLS]++;
    p->current = node;
    p->depth++;
    return true;
}

static bool new_part(speedscope_reader *r)
{
    void *parts = r->parts;
    if (!toll_mem_reserve(&r->mem, &parts, &r->part_capacity, r->part_count + 1, sizeof *r->parts))
        return fail(r, TOLL_E_NOMEM, "");
    r->parts = parts;
    part *p = &r->parts[r->part_count++];
    *p = (part){ .scale = -1 };
    toll_tree_init(&p->tree, &r->mem, WIDTH);
    p->root = p->current = toll_tree_add_root(&p->tree);
    return p->root || fail(r, TOLL_E_NOMEM, "");
}

static bool take_field(speedscope_reader *r)
{
    part *p = current_part(r);
    if (is(r, "name") && !p->name)
        return toll_json_expect(&r->j, TOLL_JSON_STRING, "a profile's name must be a string") &&
               (p->name = copy_text(r, &p->name_size)) != NULL;
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

static bool add_weights(speedscope_reader *r, part *p)
{
    if (p->sample_count != p->weight_count)
        return fail(r, TOLL_E_SYNTAX, "a profile has not as many weights as samples");
    for (size_t i = 0; i < p->sample_count; i++) {
        int64_t *to = &toll_tree_node(&p->tree, p->samples[i])->values[WEIGHT];
        if (!toll_i64_add(*to, p->weights[i], to))
            return fail(r, TOLL_E_OVERFLOW, "the weights of one stack do not fit 64 bits");
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
    part *p = current_part(r);
    if (p->scale < 0)
        return fail(r, TOLL_E_SYNTAX, "a profile has no unit");
    if (p->evented && p->depth) {
        r->left_open += p->depth;
        if (p->has_end && p->end > p->last)
            return charge(r, p, p->end);
    }
    return add_weights(r, p);
}

/* --- putting together ---------------------------------------------------------------------------*/

/* The thread and the value type that a part's name tells. */
static void split_name(const speedscope_reader *r, const part *p, char **type)
{
    char *colon = NULL;
    *type = NULL;
    if (!r->ours || !p->name)
        return;
    for (char *c = p->name; (c = strstr(c, ": ")) != NULL; c++)
        colon = c;
    if (colon) {
        *colon = 0;
        *type = colon + 2;
    }
}

static const char *type_for_unit(const char *unit)
{
    return strcmp(unit, "nanoseconds") == 0 ? "time" : strcmp(unit, "bytes") == 0 ? "space"
                                                                                  : "samples";
}

static bool add_column(speedscope_reader *r, const char *type, const char *unit, uint32_t *column)
{
    for (uint32_t c = 0; c < toll_profile_column_count(r->profile); c++) {
        toll_value_type v = toll_profile_column(r->profile, c);
        if (strcmp(v.type, type) == 0 && strcmp(v.unit, unit) == 0) {
            *column = c;
            return true;
        }
    }
    return ok(r, toll_profile_add_column(r->profile, type, unit, column, r->err));
}

/* Where a part's values go. */
typedef struct place {
    uint32_t column, calls;
    const char *thread;
} place;

static bool add_part(speedscope_reader *r, const part *p, const place *to)
{
    toll_thread_id thread;
    toll_node_id *nodes = toll_mem_new(&r->mem, p->tree.count, sizeof *nodes);
    if (!nodes)
        return fail(r, TOLL_E_NOMEM, "");
    bool good = ok(r, toll_profile_add_thread(r->profile, to->thread, &thread, r->err));
    for (uint32_t id = 0; good && id < p->tree.count; id++) {
        const toll_node *n = toll_tree_node(&p->tree, id);
        if (!n->parent)
            nodes[id] = toll_profile_root(r->profile, thread);
        else
            good = ok(r, toll_profile_add_child(r->profile, nodes[n->parent->id],
                                                r->frames[n->frame], &nodes[id], r->err));
        if (good && n->values[WEIGHT])
            good = ok(r, toll_profile_add_self(r->profile, nodes[id], to->column,
                                               n->values[WEIGHT], r->err));
        if (good && n->values[CALLS])
            good = ok(r, toll_profile_add_self(r->profile, nodes[id], to->calls,
                                               n->values[CALLS], r->err));
    }
    toll_mem_free(&r->mem, nodes, p->tree.count, sizeof *nodes);
    return good;
}

static bool put_together(speedscope_reader *r)
{
    bool good = true;
    place *places = toll_mem_new(&r->mem, r->part_count + 1, sizeof *places);
    if (!places)
        return fail(r, TOLL_E_NOMEM, "");
    if (r->largest_frame > r->frame_count)
        good = fail(r, TOLL_E_SYNTAX, "a frame index is beyond the list of frames");
    for (size_t i = 0; good && i < r->part_count; i++) {
        part *p = &r->parts[i];
        char *type;
        split_name(r, p, &type);
        places[i].thread = p->name ? p->name : "";
        if (p->evented)
            good = add_column(r, "calls", "count", &places[i].calls);
        good = good && add_column(r, type ? type : type_for_unit(p->unit), p->unit,
                                  &places[i].column);
    }
    for (size_t i = 0; good && i < r->part_count; i++)
        good = add_part(r, &r->parts[i], &places[i]);
    toll_mem_free(&r->mem, places, r->part_count + 1, sizeof *places);
    return good;
}

/* --- the file -----------------------------------------------------------------------------------*/

static bool take_exporter(speedscope_reader *r)
{
    toll_json_token t = toll_json_next(&r->j);
    if (t == TOLL_JSON_STRING)
        r->ours = strncmp(toll_json_text(&r->j), "toll", 4) == 0;
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
        else
            good = skip_value(r);
        if (!good)
            return false;
    }
    if (t != TOLL_JSON_OBJECT_END || toll_json_next(&r->j) != TOLL_JSON_END)
        return false;
    if (!r->any_profiles)
        return fail(r, TOLL_E_SYNTAX, "there are no profiles; is this a speedscope file?");
    return put_together(r);
}

static void clean_up(speedscope_reader *r)
{
    for (size_t i = 0; i < r->part_count; i++) {
        part *p = &r->parts[i];
        toll_tree_free(&p->tree);
        toll_mem_free(&r->mem, p->name, p->name_size, 1);
        toll_mem_free(&r->mem, p->samples, p->sample_capacity, sizeof *p->samples);
        toll_mem_free(&r->mem, p->weights, p->weight_capacity, sizeof *p->weights);
    }
    toll_mem_free(&r->mem, r->parts, r->part_capacity, sizeof *r->parts);
    toll_mem_free(&r->mem, r->frames, r->frame_capacity, sizeof *r->frames);
    toll_json_free(&r->j);
}

toll_status toll_speedscope_read(toll_read_job *job, toll_error *err)
{
    speedscope_reader r = { .err = err, .mem = *toll_input_mem(job->in), .job = job };
    toll_status status = toll_profile_create(&r.mem, &r.profile, err);
    if (status)
        return status;
    toll_json_begin(&r.j, job->in, err);
    if (!read_document(&r))
        status = r.j.status ? r.j.status
                            : toll_json_fail(&r.j, TOLL_E_SYNTAX, "malformed speedscope JSON");
    if (!status)
        status = toll_profile_add_note(r.profile, "fractional values, rounded", r.fractions, err);
    if (!status)
        status = toll_profile_add_note(r.profile, "frames still open at the end", r.left_open, err);
    clean_up(&r);
    if (status)
        toll_profile_free(r.profile);
    else
        job->profile = r.profile;
    return status;
}
