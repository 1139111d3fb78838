/* chrome_write.c - writes a timeline as Chrome trace events: B and E events, one track for each
 * thread. Format: "Trace Event Format" (Perfetto, chrome://tracing). Times are microseconds with
 * three decimals, made from integers. */
#include "base/fail.h"
#include "base/json_write.h"
#include "format/begins.h"
#include "format/chrome.h"
#include "profile/order.h"

#include <string.h>

static void put_time(toll_output *out, uint64_t at, bool nanoseconds)
{
    if (nanoseconds)
        toll_output_printf(out, "%llu.%03u", (unsigned long long)(at / 1000),
                           (unsigned)(at % 1000));
    else
        toll_output_printf(out, "%llu", (unsigned long long)at);
}

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

/* Write at the end of a call what the second axis moved during it: viewers show it with the call.
 * False: no memory. */
static bool put_second(const toll_write_job *job, const toll_timeline_event *e, toll_begins *b)
{
    uint64_t spent;
    toll_value_type axis;
    if (!toll_timeline_second_axis(job->timeline, &axis))
        return true;
    if (!toll_begins_next(toll_profile_mem(job->profile), b, e, &spent))
        return false;
    if (e->is_open)
        return true;
    toll_json_put_text(job->out, ",\"args\":{");
    toll_json_put_string(job->out, axis.type);
    toll_output_printf(job->out, ":%llu}", (unsigned long long)spent);
    return true;
}

static toll_status put_thread(const toll_write_job *job, toll_thread_id thread, uint32_t tid,
                              toll_error *err)
{
    const toll_profile *names = toll_timeline_names(job->timeline);
    bool ns = strcmp(toll_timeline_axis(job->timeline).unit, "nanoseconds") == 0;
    toll_timeline_reader *r;
    toll_timeline_event e;
    toll_begins b = { 0 };
    int more = 0;
    toll_status status = toll_timeline_read_thread(job->timeline, thread, &r, err);
    if (status)
        return status;
    while (!status && (more = toll_timeline_next(r, &e, err)) == 1) {
        toll_frame f = toll_profile_frame(names, e.frame);
        toll_output_printf(
            job->out, ",\n{\"ph\":\"%s\",\"pid\":1,\"tid\":%u,\"ts\":", e.is_open ? "B" : "E", tid);
        put_time(job->out, e.at, ns);
        toll_json_put_text(job->out, ",\"name\":");
        toll_json_put_string(job->out, f.name);
        if (e.is_open && *f.file)
            put_place(job->out, f);
        if (!put_second(job, &e, &b))
            status = toll_fail_nomem(err);
        toll_json_put_text(job->out, "}");
    }
    toll_timeline_reader_free(r);
    toll_begins_free(toll_profile_mem(job->profile), &b);
    return more < 0 ? err->status : status;
}

toll_status toll_chrome_write(const toll_write_job *job, toll_error *err)
{
    const toll_profile *names = toll_timeline_names(job->timeline);
    toll_order order;
    toll_status status = toll_order_create(&order, names, err);
    if (status)
        return status;
    if (strcmp(toll_timeline_axis(job->timeline).unit, "nanoseconds") != 0)
        toll_format_warn(job->options, "chrome knows only time: %s are written as microseconds",
                         toll_timeline_axis(job->timeline).type);
    toll_json_put_text(job->out, "{\"displayTimeUnit\":\"ns\","
                                 "\"otherData\":{\"exporter\":\"" TOLL_CHROME_EXPORTER "\"},\n"
                                 "\"traceEvents\":[");
    for (uint32_t i = 0; i < order.thread_count; i++)
        put_thread_name(job->out, toll_profile_thread_name(names, order.threads[i]), i + 1, i == 0);
    for (uint32_t i = 0; !status && i < order.thread_count; i++)
        status = put_thread(job, order.threads[i], i + 1, err);
    toll_json_put_text(job->out, "\n]}\n");
    toll_order_free(&order);
    return status;
}
