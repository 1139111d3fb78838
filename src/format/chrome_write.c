/* chrome_write.c - writes a timeline as Chrome trace events: B and E events, one track for each
 * thread. Format: "Trace Event Format" (Perfetto, chrome://tracing). Times are microseconds with
 * three decimals, made from integers. */
#include "base/fail.h"
#include "base/json_write.h"
#include "base/text.h"
#include "format/begins.h"
#include "format/chrome.h"
#include "format/event_batch.h"
#include "profile/order.h"

#include <stdio.h>
#include <string.h>

/* The text that all events of a frame share, in w->texts: `,"name":"f"` from `begin` to `name_end`,
 * then `,"cat":"f.lua:1"` up to `end` if the frame has a place. */
typedef struct event_text {
    size_t begin, name_end, end;
} event_text;

typedef struct chrome_writer {
    const toll_write_job *job;
    const toll_profile *names;
    const toll_mem *mem;
    toll_output *texts;
    event_text *frames; /* by frame id */
    const char *text;   /* texts of all frames */
    toll_batch batch;
    toll_begins begins;
    toll_output *second; /* `,"args":{"ticks":`; NULL: there is no second axis */
    bool nanoseconds;
} chrome_writer;

/* --- texts -------------------------------------------------------------------------------------*/

static void put_thread_name(toll_output *out, const char *name, uint32_t tid, bool first)
{
    toll_output_printf(out,
                       "%s{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%u,"
                       "\"args\":{\"name\":",
                       first ? "\n" : ",\n", tid);
    toll_json_put_string(out, name);
    toll_json_put_text(out, "}}");
}

static bool ends_in_number(const char *file)
{
    const char *colon = strrchr(file, ':');
    return colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1);
}

/* Write a function's place as the category: viewers show it, and do not make it part of the name.
 */
static void put_place(toll_output *out, toll_frame f)
{
    toll_json_put_text(out, ",\"cat\":\"");
    toll_json_put_inner(out, f.file);
    if (f.line || ends_in_number(f.file))
        toll_output_printf(out, ":%u", f.line);
    toll_json_put_text(out, "\"");
}

/* Build the texts of all frames once, so that names are not escaped with each event. */
static toll_status make_texts(chrome_writer *w, toll_error *err)
{
    uint32_t count = toll_profile_frame_count(w->names);
    toll_value_type axis;
    toll_status status = toll_output_to_memory(w->mem, 0, &w->texts, err);
    if (status)
        return status;
    w->frames = toll_mem_new(w->mem, count, sizeof *w->frames);
    if (count && !w->frames)
        return toll_fail_nomem(err);
    for (uint32_t i = 0; i < count; i++) {
        toll_frame f = toll_profile_frame(w->names, i);
        toll_output_data(w->texts, &w->frames[i].begin);
        toll_json_put_text(w->texts, ",\"name\":");
        toll_json_put_string(w->texts, f.name);
        toll_output_data(w->texts, &w->frames[i].name_end);
        if (*f.file)
            put_place(w->texts, f);
        w->text = toll_output_data(w->texts, &w->frames[i].end);
    }
    if (toll_timeline_second_axis(w->job->timeline, &axis)) {
        status = toll_output_to_memory(w->mem, 0, &w->second, err);
        if (status)
            return status;
        toll_json_put_text(w->second, ",\"args\":{");
        toll_json_put_string(w->second, axis.type);
        toll_json_put_text(w->second, ":");
        status = toll_output_commit(w->second, err);
    }
    return status ? status : toll_output_commit(w->texts, err);
}

/* --- events ------------------------------------------------------------------------------------*/

enum { NUMBER_MOST = 24 }; /* digits, a point, and leading zeros */

/* Write nanoseconds as microseconds: the last three digits follow the point. */
static char *put_time(char *to, uint64_t at, bool nanoseconds)
{
    if (!nanoseconds)
        return to + toll_text_put_u64(to, at);
    to += toll_text_put_u64(to, at / 1000);
    unsigned rest = (unsigned)(at % 1000);
    *to++ = '.';
    *to++ = (char)('0' + rest / 100);
    *to++ = (char)('0' + rest / 10 % 10);
    *to++ = (char)('0' + rest % 10);
    return to;
}

/* Write an event. At the end of a call, this includes what the second axis moved during the call.
 * False: no memory. */
static bool put_event(chrome_writer *w, const char *head, size_t head_size,
                      const toll_timeline_event *e)
{
    event_text text = w->frames[e->frame];
    size_t text_size = (e->is_open ? text.end : text.name_end) - text.begin, second_size = 0;
    const char *second = w->second ? toll_output_data(w->second, &second_size) : NULL;
    uint64_t spent = 0;
    if (w->second && !toll_begins_next(w->mem, &w->begins, e, &spent))
        return false;
    char *to =
        toll_batch_begin(&w->batch, head_size + text_size + second_size + 2 * NUMBER_MOST + 2);
    if (!to)
        return false;
    to = toll_put_piece(to, head, head_size);
    to = put_time(to, e->at, w->nanoseconds);
    to = toll_put_piece(to, w->text + text.begin, text_size);
    if (second && !e->is_open) {
        to = toll_put_piece(to, second, second_size);
        to += toll_text_put_u64(to, spent);
        *to++ = '}';
    }
    *to++ = '}';
    toll_batch_end(&w->batch, to);
    return true;
}

static toll_status put_thread(chrome_writer *w, toll_thread_id thread, uint32_t tid,
                              toll_error *err)
{
    char heads[2][64]; /* the fields before the texts: of an end, and of a begin */
    size_t size = 0;
    toll_timeline_reader *r;
    toll_timeline_event e;
    int more = 0;
    bool good = true;
    toll_status status = toll_timeline_read_thread(w->job->timeline, thread, &r, err);
    if (status)
        return status;
    for (int i = 0; i < 2; i++)
        size =
            (size_t)snprintf(heads[i], sizeof heads[i],
                             ",\n{\"ph\":\"%c\",\"pid\":1,\"tid\":%u,\"ts\":", i ? 'B' : 'E', tid);
    while (good && (more = toll_timeline_next(r, &e, err)) == 1)
        good = put_event(w, heads[e.is_open != 0], size, &e);
    toll_timeline_reader_free(r);
    toll_batch_flush(&w->batch);
    if (more < 0)
        return err->status;
    return good ? TOLL_OK : toll_fail_nomem(err);
}

static toll_status put_threads(chrome_writer *w, toll_error *err)
{
    toll_order order;
    toll_status status = toll_order_create(&order, w->names, err);
    if (status)
        return status;
    for (uint32_t i = 0; i < order.thread_count; i++)
        put_thread_name(w->job->out, toll_profile_thread_title(w->job->threads, order.threads[i]),
                        i + 1, i == 0);
    for (uint32_t i = 0; !status && i < order.thread_count; i++)
        status = put_thread(w, order.threads[i], i + 1, err);
    toll_order_free(&order);
    return status;
}

toll_status toll_chrome_write(const toll_write_job *job, toll_error *err)
{
    toll_value_type axis = toll_timeline_axis(job->timeline);
    chrome_writer w = { .job = job,
                        .names = toll_timeline_names(job->timeline),
                        .mem = toll_profile_mem(job->profile),
                        .nanoseconds = strcmp(axis.unit, "nanoseconds") == 0 };
    toll_batch_init(&w.batch, w.mem, job->out);
    if (!w.nanoseconds)
        toll_format_warn(job->options, "chrome knows only time: %s are written as microseconds",
                         axis.type);
    toll_json_put_text(job->out, "{\"displayTimeUnit\":\"ns\","
                                 "\"otherData\":{\"exporter\":\"" TOLL_CHROME_EXPORTER "\"},\n"
                                 "\"traceEvents\":[");
    toll_status status = make_texts(&w, err);
    if (!status)
        status = put_threads(&w, err);
    toll_json_put_text(job->out, "\n]}\n");
    toll_output_free(w.texts);
    toll_output_free(w.second);
    toll_mem_free(w.mem, w.frames, toll_profile_frame_count(w.names), sizeof *w.frames);
    toll_buffer_free(&w.batch.bytes);
    toll_begins_free(w.mem, &w.begins);
    return status;
}
