/* speedscope_profile.c - reads one profile of a speedscope file, stacks with weights or events in
 * time, into a tree over the file's frame indices. See speedscope.h. */
#include "base/array.h"
#include "base/text.h"
#include "format/speedscope.h"

#include <string.h>

/* Read the next token, a number, as an integer: times 10^scale. */
static bool read_number(speedscope_reader *r, int scale, int64_t *out)
{
    bool exact = true;
    if (!toll_json_expect(&r->j, TOLL_JSON_NUMBER, "a number was expected here"))
        return false;
    if (!toll_text_scaled(toll_json_text(&r->j), r->j.text.size, scale, out, &exact))
        return toll_json_fail(&r->j, TOLL_E_OVERFLOW, "a number does not fit 64 bits");
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
        toll_no_memory(&r->failure);
    return copy;
}

static speedscope_part *current_part(speedscope_reader *r)
{
    return &r->parts[r->part_count - 1];
}

static bool read_unit(speedscope_reader *r)
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
        if (toll_json_is(&r->j, units[i].name)) {
            /* Files of Toll's keep their units: their numbers are integers. */
            current_part(r)->unit = r->ours && units[i].scale ? units[i].name : units[i].unit;
            current_part(r)->scale = r->ours ? 0 : units[i].scale;
            return true;
        }
    return toll_json_fail(&r->j, TOLL_E_SYNTAX,
                          "unit must be none, nanoseconds, microseconds, milliseconds, "
                          "seconds or bytes");
}

static bool has_unit(speedscope_reader *r)
{
    return current_part(r)->scale >= 0 ||
           toll_json_fail(&r->j, TOLL_E_UNSUPPORTED,
                          "the unit comes after the values; put it before them");
}

/* Get the child of `node` for a frame index. */
static toll_node *child(speedscope_reader *r, toll_node *node, int64_t index)
{
    if (index < 0 || index >= UINT32_MAX - 1) {
        toll_json_fail(&r->j, TOLL_E_SYNTAX, "a frame index is out of range");
        return NULL;
    }
    if ((uint64_t)index + 1 > r->largest_frame)
        r->largest_frame = (uint64_t)index + 1;
    node = toll_tree_child(&r->tree, node, (uint32_t)index);
    if (!node)
        toll_no_memory(&r->failure);
    return node;
}

/* Read one sample, whose '[' is already read: frame indices, root first. */
static bool read_sample(void *user)
{
    speedscope_reader *r = user;
    speedscope_part *p = current_part(r);
    toll_node *node = p->root;
    toll_json_token t;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_NUMBER) {
        int64_t index;
        bool exact;
        if (!toll_text_scaled(toll_json_text(&r->j), r->j.text.size, 0, &index, &exact) || !exact)
            return toll_json_fail(&r->j, TOLL_E_SYNTAX, "a frame index is out of range");
        node = child(r, node, index);
        if (!node)
            return false;
    }
    if (t != TOLL_JSON_ARRAY_END)
        return toll_json_fail(&r->j, TOLL_E_SYNTAX, "a sample must be an array of frame indices");
    if (!toll_array_grow(&r->mem, &p->samples, &p->sample_capacity, p->sample_count, 1))
        return toll_no_memory(&r->failure);
    p->samples[p->sample_count++] = node->id;
    return true;
}

/* Read one weight, which is the current token. */
static bool read_weight(void *user)
{
    speedscope_reader *r = user;
    speedscope_part *p = current_part(r);
    bool exact;
    if (!has_unit(r))
        return false;
    if (!toll_array_grow(&r->mem, &p->weights, &p->weight_capacity, p->weight_count, 1))
        return toll_no_memory(&r->failure);
    if (!toll_text_scaled(toll_json_text(&r->j), r->j.text.size, p->scale,
                          &p->weights[p->weight_count], &exact))
        return toll_json_fail(&r->j, TOLL_E_OVERFLOW, "a weight does not fit 64 bits");
    p->weight_count++;
    r->fractions += !exact;
    return true;
}

static bool charge(speedscope_reader *r, speedscope_part *p, int64_t at)
{
    int64_t passed;
    if (p->started && at < p->last)
        return toll_json_fail(&r->j, TOLL_E_SYNTAX,
                              "an event is earlier than the one before; sort the events");
    /* Without an open frame a thread is idle: no frame is charged. */
    if ((p->depth || r->has_stacks) && (!toll_i64_sub(at, p->last, &passed) ||
                                        !toll_i64_add(p->current->values[SPEEDSCOPE_WEIGHT], passed,
                                                      &p->current->values[SPEEDSCOPE_WEIGHT])))
        return toll_json_fail(&r->j, TOLL_E_OVERFLOW, "times do not fit 64 bits");
    p->started = true;
    p->last = at;
    return true;
}

/* Read one event, whose '{' is already read. */
static bool read_event(void *user)
{
    speedscope_reader *r = user;
    speedscope_part *p = current_part(r);
    int64_t frame = -1, at = 0;
    char type = 0;
    bool has_at = false, good = has_unit(r);
    toll_json_token t = TOLL_JSON_ERROR;
    while (good && (t = toll_json_next(&r->j)) == TOLL_JSON_KEY) {
        if (toll_json_is(&r->j, "type")) {
            good = toll_json_expect(&r->j, TOLL_JSON_STRING, "an event's type must be a string");
            type = good ? *toll_json_text(&r->j) : 0;
        } else if (toll_json_is(&r->j, "frame")) {
            good = read_number(r, 0, &frame);
        } else if (toll_json_is(&r->j, "at")) {
            good = has_at = read_number(r, p->scale, &at);
        } else {
            good = toll_json_skip_next(&r->j);
        }
    }
    if (!good || t != TOLL_JSON_OBJECT_END)
        return toll_json_fail(&r->j, TOLL_E_SYNTAX, "a malformed event");
    if ((type != 'O' && type != 'C') || frame < 0 || !has_at)
        return toll_json_fail(&r->j, TOLL_E_SYNTAX,
                              "an event needs a type O or C, a frame and a time at");
    if (!charge(r, p, at))
        return false;
    if (type == 'C') {
        if (p->depth == 0 || p->current->frame != (uint64_t)frame)
            return toll_json_fail(&r->j, TOLL_E_SYNTAX,
                                  "an event closes a frame that is not the innermost one");
        p->current = p->current->parent;
        p->depth--;
        toll_speedscope_close(r, p, at);
        return true;
    }
    toll_node *node = child(r, p->current, frame);
    if (!node)
        return false;
    node->values[SPEEDSCOPE_CALLS] += !r->has_stacks;
    p->current = node;
    p->depth++;
    return toll_speedscope_open(r, p, frame, at);
}

static bool new_part(speedscope_reader *r)
{
    if (!toll_array_grow(&r->mem, &r->parts, &r->part_capacity, r->part_count, 1))
        return toll_no_memory(&r->failure);
    speedscope_part *p = &r->parts[r->part_count++];
    *p = (speedscope_part){ .scale = -1, .timeline_thread = TOLL_NONE };
    p->root = p->current = toll_tree_add_root(&r->tree);
    return p->root || toll_no_memory(&r->failure);
}

static bool read_field(speedscope_reader *r)
{
    speedscope_part *p = current_part(r);
    if (toll_json_is(&r->j, "name") && !p->name)
        return toll_json_expect(&r->j, TOLL_JSON_STRING, "a profile's name must be a string") &&
               (p->name = p->file_name = copy_text(r, &p->name_size)) != NULL;
    if (toll_json_is(&r->j, "unit"))
        return read_unit(r);
    if (toll_json_is(&r->j, "samples"))
        return toll_json_array(&r->j, TOLL_JSON_ARRAY, "samples must be an array of arrays",
                               read_sample, r);
    if (toll_json_is(&r->j, "weights"))
        return toll_json_array(&r->j, TOLL_JSON_NUMBER, "weights must be an array of numbers",
                               read_weight, r);
    if (toll_json_is(&r->j, "events")) {
        p->evented = true;
        return toll_json_array(&r->j, TOLL_JSON_OBJECT, "events must be an array of objects",
                               read_event, r);
    }
    if (toll_json_is(&r->j, "endValue") && p->scale >= 0)
        return p->has_end = read_number(r, p->scale, &p->end);
    return toll_json_skip_next(&r->j);
}

static bool add_weights(speedscope_reader *r, speedscope_part *p)
{
    if (p->sample_count != p->weight_count)
        return toll_json_fail(&r->j, TOLL_E_SYNTAX, "a profile has not as many weights as samples");
    for (size_t i = 0; i < p->sample_count; i++) {
        int64_t *to = &toll_tree_node(&r->tree, p->samples[i])->values[SPEEDSCOPE_WEIGHT];
        if (!toll_i64_add(*to, p->weights[i], to))
            return toll_json_fail(&r->j, TOLL_E_OVERFLOW,
                                  "the weights of one stack do not fit 64 bits");
    }
    toll_mem_free(&r->mem, p->samples, p->sample_capacity, sizeof *p->samples);
    toll_mem_free(&r->mem, p->weights, p->weight_capacity, sizeof *p->weights);
    p->samples = NULL;
    p->weights = NULL;
    p->sample_count = p->sample_capacity = p->weight_count = p->weight_capacity = 0;
    return true;
}

bool toll_speedscope_read_profile(void *user)
{
    speedscope_reader *r = user;
    toll_json_token t;
    if (!new_part(r))
        return false;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY)
        if (!read_field(r))
            return false;
    if (t != TOLL_JSON_OBJECT_END)
        return false;
    speedscope_part *p = current_part(r);
    p->end_node = r->tree.count;
    if (p->scale < 0)
        return toll_json_fail(&r->j, TOLL_E_SYNTAX, "a profile has no unit");
    if (p->evented && p->depth) {
        r->left_open += p->depth;
        if (p->has_end && p->end > p->last && !charge(r, p, p->end))
            return false;
        for (uint32_t i = 0; i < p->depth; i++)
            toll_speedscope_close(r, p, p->last);
    }
    return add_weights(r, p);
}
