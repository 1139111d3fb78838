/* perfview.c - reads and writes PerfView's {"Samples":[{"Stack":["leaf",...,"root"],"Metric":N}]}.
 *
 * PerfView itself shows only the samples in {"StackSource":{"Samples":[...]}}; other tools know the
 * list at the top level. So the list is written in both places. Of a file's lists, the first one
 * that is not empty is read; the others are only compared with it. A metric may be a number or its
 * text. Other keys are skipped. A fractional metric is rounded and counted. */
#include "base/array.h"
#include "base/fail.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/text.h"
#include "format/format_row.h"
#include "format/json_notes.h"
#include "format/sniff.h"
#include "profile/frame_name.h"
#include "profile/order.h"

#include <string.h>

toll_sniff toll_perfview_sniff(const uint8_t *data, size_t size)
{
    return toll_sniff_json(data, size, "\"Samples\"", "\"Stack\"");
}

/* --- reading -----------------------------------------------------------------------------------*/

/* A summary of a list, to compare it with another one. The sum of metrics may wrap around. */
typedef struct list_summary {
    uint64_t samples, frames, metrics;
} list_summary;

typedef struct perfview_reader {
    toll_json j;
    toll_failure failure;
    toll_profile *profile;
    toll_node_id root;
    toll_frame_id *stack; /* leaf first */
    size_t depth, capacity;
    toll_buffer name; /* demangled */
    int64_t metric;
    bool has_metric, is_exact;
    bool any_list;
    list_summary first; /* summary of the list that was added */
    uint64_t fractions, without_metric, differing;
} perfview_reader;

static bool read_frame(void *user)
{
    perfview_reader *r = user;
    toll_frame frame = { .name = toll_json_text(&r->j) };
    if (!toll_frame_demangle(&frame, &r->name) ||
        !toll_array_grow(&r->j.text.mem, &r->stack, &r->capacity, r->depth, 1))
        return toll_no_memory(&r->failure);
    if (!*frame.name)
        frame.name = "(unknown)";
    return toll_ok(&r->failure, toll_profile_add_frame(r->profile, &frame, &r->stack[r->depth++],
                                                       r->failure.err));
}

static bool read_stack(perfview_reader *r)
{
    r->depth = 0;
    return toll_json_expect(&r->j, TOLL_JSON_ARRAY, "Stack must be an array of names") &&
           toll_json_elements(&r->j, TOLL_JSON_STRING, "a name in a Stack must be a string",
                              read_frame, r);
}

static bool read_metric(perfview_reader *r)
{
    toll_json_token t = toll_json_next(&r->j);
    bool is_number = t == TOLL_JSON_NUMBER;
    if (!is_number && t != TOLL_JSON_STRING)
        return toll_json_fail(&r->j, TOLL_E_SYNTAX, "Metric must be a number");
    if (!toll_text_scaled(toll_json_text(&r->j), r->j.text.size, 0, &r->metric, &r->is_exact))
        return toll_json_fail(&r->j, is_number ? TOLL_E_OVERFLOW : TOLL_E_SYNTAX,
                              "Metric must be a number that fits 64 bits");
    r->has_metric = true;
    return true;
}

static bool add_sample(perfview_reader *r)
{
    toll_node_id node = r->root;
    if (r->depth == 1 &&
        strcmp(toll_profile_frame(r->profile, r->stack[0]).name, TOLL_OUTSIDE) == 0)
        r->depth = 0;
    for (size_t i = r->depth; i-- > 0;)
        if (!toll_ok(&r->failure,
                     toll_profile_add_child(r->profile, node, r->stack[i], &node, r->failure.err)))
            return false;
    r->fractions += !r->is_exact;
    r->without_metric += !r->has_metric;
    if (toll_profile_add_self(r->profile, node, 0, r->metric, NULL))
        return toll_json_fail(&r->j, TOLL_E_OVERFLOW, "the sum of this stack does not fit 64 bits");
    return true;
}

/* Read one sample, whose '{' is already read. */
static bool read_sample(perfview_reader *r)
{
    toll_json_token t;
    r->depth = 0;
    r->metric = 1;
    r->has_metric = false;
    r->is_exact = true;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY) {
        bool good;
        if (toll_json_is(&r->j, "Stack"))
            good = read_stack(r);
        else if (toll_json_is(&r->j, "Metric"))
            good = read_metric(r);
        else
            good = toll_json_skip_next(&r->j);
        if (!good)
            return false;
    }
    return t == TOLL_JSON_OBJECT_END;
}

/* Read a list. Add it to the profile, or only compare it if another one was already added. */
static bool read_samples(perfview_reader *r)
{
    const bool is_first = r->first.samples == 0;
    list_summary list = { 0 };
    toll_json_token t;
    r->any_list = true;
    if (!toll_json_expect(&r->j, TOLL_JSON_ARRAY, "Samples must be an array"))
        return false;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_OBJECT) {
        if (!read_sample(r))
            return false;
        list.samples++;
        list.frames += r->depth;
        list.metrics += (uint64_t)r->metric;
        if (is_first && !add_sample(r))
            return false;
    }
    if (t != TOLL_JSON_ARRAY_END && t != TOLL_JSON_ERROR)
        toll_json_fail(&r->j, TOLL_E_SYNTAX, "a sample must be an object");
    if (is_first)
        r->first = list;
    else if (list.samples && memcmp(&list, &r->first, sizeof list) != 0)
        r->differing += list.samples;
    return toll_json_ok(&r->j);
}

/* Read {"Samples":[...]}, the form that PerfView itself reads. */
static bool read_source(perfview_reader *r)
{
    toll_json_token t;
    if (!toll_json_expect(&r->j, TOLL_JSON_OBJECT, "StackSource must be an object"))
        return false;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY)
        if (!(toll_json_is(&r->j, "Samples") ? read_samples(r) : toll_json_skip_next(&r->j)))
            return false;
    return t == TOLL_JSON_OBJECT_END;
}

static bool read_document(perfview_reader *r)
{
    toll_json_token t;
    if (!toll_json_expect(&r->j, TOLL_JSON_OBJECT, "the file must hold an object"))
        return false;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY)
        if (!(toll_json_is(&r->j, "Samples")       ? read_samples(r)
              : toll_json_is(&r->j, "StackSource") ? read_source(r)
              : toll_json_is(&r->j, "Notes")       ? toll_json_read_notes(&r->j, r->profile)
                                                   : toll_json_skip_next(&r->j)))
            return false;
    if (t != TOLL_JSON_ERROR)
        toll_json_next(&r->j); /* nothing may follow */
    return r->any_list ||
           toll_json_fail(&r->j, TOLL_E_SYNTAX, "there are no Samples; is this a PerfView file?");
}

static bool add_notes(perfview_reader *r)
{
    const struct {
        const char *text;
        uint64_t count;
    } notes[] = {
        { "fractional values, rounded", r->fractions },
        { "samples without a metric, counted as 1", r->without_metric },
        { "samples of further lists that differ from the first, left out", r->differing },
    };
    bool good = true;
    for (size_t i = 0; good && i < sizeof notes / sizeof *notes; i++)
        good = toll_ok(&r->failure, toll_profile_add_note(r->profile, notes[i].text, notes[i].count,
                                                          r->failure.err));
    return good;
}

static bool set_up(perfview_reader *r)
{
    toll_thread_id thread;
    toll_error *err = r->failure.err;
    if (!toll_ok(&r->failure, toll_profile_add_column(r->profile, "metric", "count", NULL, err)) ||
        !toll_ok(&r->failure, toll_profile_add_thread(r->profile, "", &thread, err)))
        return false;
    r->root = toll_profile_root(r->profile, thread);
    return true;
}

toll_status toll_perfview_read(toll_read_job *job, toll_error *err)
{
    perfview_reader r = { .failure.err = err };
    toll_status status = toll_profile_create(toll_input_mem(job->in), &r.profile, err);
    if (status)
        return status;
    toll_json_begin(&r.j, job->in, &r.failure);
    toll_buffer_init(&r.name, toll_input_mem(job->in));
    if (set_up(&r) && read_document(&r) && toll_json_ok(&r.j) && add_notes(&r))
        job->profile = r.profile;
    else
        toll_profile_free(r.profile);
    toll_mem_free(&r.j.text.mem, r.stack, r.capacity, sizeof *r.stack);
    toll_buffer_free(&r.name);
    toll_json_free(&r.j);
    return r.failure.status;
}

/* --- writing -----------------------------------------------------------------------------------*/

static void put_stack(const toll_profile *p, const toll_labels *labels, toll_node_id node,
                      toll_output *out)
{
    bool any = false;
    for (; toll_profile_node_frame(p, node) != TOLL_NONE; node = toll_profile_parent(p, node)) {
        toll_json_put_text(out, any ? "," : "");
        toll_json_put_string(out, toll_label(labels, toll_profile_node_frame(p, node)));
        any = true;
    }
    if (!any)
        toll_json_put_string(out, TOLL_OUTSIDE);
}

static void put_samples(const toll_profile *p, uint32_t column, const toll_order *order,
                        const toll_labels *labels, toll_output *out)
{
    bool any = false;
    toll_json_put_text(out, "\"Samples\":[");
    for (uint32_t t = 0; t < order->thread_count && column != TOLL_NONE; t++) {
        toll_walk w = toll_walk_begin(order, toll_profile_root(p, order->threads[t]));
        while (toll_walk_next(&w)) {
            int64_t self = w.entering ? toll_profile_self(p, w.node, column) : 0;
            if (!self)
                continue;
            toll_json_put_text(out, any ? ",\n{\"Stack\":[" : "\n{\"Stack\":[");
            put_stack(p, labels, w.node, out);
            toll_json_put_text(out, "],\"Metric\":");
            toll_json_put_i64(out, self);
            toll_json_put_text(out, "}");
            any = true;
        }
    }
    toll_json_put_text(out, "\n]");
}

toll_status toll_perfview_write(const toll_write_job *job, toll_error *err)
{
    toll_profile *one;
    toll_order order;
    toll_labels labels;
    toll_status status = toll_profile_fold_threads(job->profile, &one, err);
    if (status)
        return status;
    status = toll_order_create(&order, one, err);
    if (!status) {
        status = toll_labels_create(&labels, &order, err);
        if (!status) {
            toll_json_put_text(job->out, "{");
            put_samples(one, job->column, &order, &labels, job->out);
            toll_json_put_text(job->out, ",\n\"StackSource\":{");
            put_samples(one, job->column, &order, &labels, job->out);
            toll_json_put_text(job->out, "}}\n");
            toll_labels_free(&labels);
        }
        toll_order_free(&order);
    }
    toll_profile_free(one);
    return status;
}
