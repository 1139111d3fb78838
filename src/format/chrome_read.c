/* chrome_read.c - Chrome trace events: B, E and X, in any order, {"traceEvents":[...]} or a bare
 * array.
 *
 * Events are kept (32 bytes each), sorted by track and time, and played to a recorder track by
 * track. An X that ends after the one around it is cut there, and counted. Other kinds of events
 * are skipped and counted. Times become integer nanoseconds. */
#include "format/chrome.h"

#include "base/array.h"
#include "base/text.h"
#include "format/sniff.h"

#include <string.h>

toll_sniff toll_chrome_sniff(const uint8_t *data, size_t size)
{
    toll_sniff named = toll_sniff_json(data, size, "\"traceEvents\"", NULL);
    return named ? named : toll_sniff_json(data, size, "\"ph\"", "\"ts\"");
}

/* --- reading -----------------------------------------------------------------------------------*/

/* The fields of one event object. */
typedef struct fields {
    char ph;
    int64_t ts, dur;
    bool has_ts, has_dur;
    uint32_t name, category, pid, tid, args_name; /* strings */
} fields;

static bool read_string(chrome_reader *r, uint32_t *out)
{
    *out = toll_strtab_add(&r->strings, toll_json_text(&r->j), r->j.text.size);
    return *out != UINT32_MAX || toll_no_memory(&r->failure);
}

/* Read a string or number as a string; skip anything else. */
static bool read_text(chrome_reader *r, uint32_t *out)
{
    toll_json_token t = toll_json_next(&r->j);
    if (t == TOLL_JSON_STRING || t == TOLL_JSON_NUMBER)
        return read_string(r, out);
    return toll_json_skip(&r->j, t);
}

static bool read_time(chrome_reader *r, int64_t *out, bool *has)
{
    bool exact;
    toll_json_token t = toll_json_next(&r->j);
    if (t != TOLL_JSON_NUMBER)
        return t == TOLL_JSON_NULL
                   ? true
                   : toll_json_fail(&r->j, TOLL_E_SYNTAX, "a time must be a number");
    if (!toll_text_scaled(toll_json_text(&r->j), r->j.text.size, 3, out, &exact))
        return toll_json_fail(&r->j, TOLL_E_OVERFLOW, "a time does not fit 64 bits");
    r->fractions += !exact;
    return *has = true;
}

static bool read_args(chrome_reader *r, uint32_t *name)
{
    toll_json_token t = toll_json_next(&r->j);
    if (t != TOLL_JSON_OBJECT)
        return toll_json_skip(&r->j, t);
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY) {
        bool wanted = toll_json_is(&r->j, "name");
        if (!(wanted ? read_text(r, name) : toll_json_skip_next(&r->j)))
            return false;
    }
    return t == TOLL_JSON_OBJECT_END;
}

static bool read_fields(chrome_reader *r, fields *f)
{
    toll_json_token t;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY) {
        uint32_t ph = 0;
        bool good;
        if (toll_json_is(&r->j, "ph")) {
            good = read_text(r, &ph);
            f->ph = good ? *toll_strtab_text(&r->strings, ph) : 0;
        } else if (toll_json_is(&r->j, "ts")) {
            good = read_time(r, &f->ts, &f->has_ts);
        } else if (toll_json_is(&r->j, "dur")) {
            good = read_time(r, &f->dur, &f->has_dur);
        } else if (toll_json_is(&r->j, "name")) {
            good = read_text(r, &f->name);
        } else if (toll_json_is(&r->j, "cat")) {
            good = read_text(r, &f->category);
        } else if (toll_json_is(&r->j, "pid")) {
            good = read_text(r, &f->pid);
        } else if (toll_json_is(&r->j, "tid")) {
            good = read_text(r, &f->tid);
        } else if (toll_json_is(&r->j, "args")) {
            good = read_args(r, &f->args_name);
        } else {
            good = toll_json_skip_next(&r->j);
        }
        if (!good)
            return false;
    }
    return t == TOLL_JSON_OBJECT_END;
}

/* "PID/TID" as a string; UINT32_MAX: no memory. */
static uint32_t track_text(chrome_reader *r, const fields *f)
{
    toll_buffer text;
    toll_buffer_init(&text, &r->mem);
    toll_buffer_append_text(&text, toll_strtab_text(&r->strings, f->pid));
    toll_buffer_append_text(&text, "/");
    toll_buffer_append_text(&text, toll_strtab_text(&r->strings, f->tid));
    uint32_t id =
        text.failed ? UINT32_MAX : toll_strtab_add(&r->strings, (const char *)text.data, text.size);
    toll_buffer_free(&text);
    return id;
}

/* The number of the track pid/tid. */
static bool find_track(chrome_reader *r, const fields *f, uint32_t *track)
{
    uint64_t key = (uint64_t)f->pid << 32 | f->tid;
    *track = toll_u64map_find(&r->track_index, key);
    if (*track != UINT32_MAX)
        return true;
    if (r->track_count >= 65536)
        return toll_json_fail(&r->j, TOLL_E_LIMIT, "more than 65,536 threads");
    uint32_t text = track_text(r, f);
    *track = (uint32_t)r->track_count;
    if (text == UINT32_MAX ||
        !toll_array_grow(&r->mem, &r->tracks, &r->track_capacity, r->track_count, 1) ||
        !toll_u64map_add(&r->track_index, key, *track))
        return toll_no_memory(&r->failure);
    r->tracks[r->track_count++] = (chrome_track){ text, text };
    return true;
}

static bool find_function(chrome_reader *r, const fields *f, uint32_t *function)
{
    uint64_t key = (uint64_t)f->name << 32 | f->category;
    *function = toll_u64map_find(&r->function_index, key);
    if (*function != UINT32_MAX)
        return true;
    *function = (uint32_t)r->function_count;
    if (!toll_array_grow(&r->mem, &r->functions, &r->function_capacity, r->function_count, 1) ||
        !toll_u64map_add(&r->function_index, key, *function))
        return toll_no_memory(&r->failure);
    r->functions[r->function_count++] =
        (chrome_function){ .name = f->name, .category = f->category };
    return true;
}

static bool name_track(chrome_reader *r, const fields *f)
{
    uint32_t track;
    if (!find_track(r, f, &track))
        return false;
    if (f->args_name)
        r->tracks[track].name = f->args_name;
    return true;
}

/* Read one event; its '{' is already read. */
static bool read_event(void *user)
{
    chrome_reader *r = user;
    fields f = { 0 };
    uint32_t track, function;
    if (!read_fields(r, &f))
        return toll_json_fail(&r->j, TOLL_E_SYNTAX, "a malformed event");
    if (f.ph == 'M' && strcmp(toll_strtab_text(&r->strings, f.name), "thread_name") == 0)
        return name_track(r, &f);
    if (f.ph != 'B' && f.ph != 'E' && f.ph != 'X') {
        r->others++;
        return true;
    }
    if (!f.has_ts || f.ts < 0 || (f.ph == 'X' && f.dur < 0))
        return toll_json_fail(&r->j, TOLL_E_SYNTAX, "an event has no time ts, or one below 0");
    if (!find_track(r, &f, &track) || !find_function(r, &f, &function))
        return false;
    if (!toll_array_grow(&r->mem, &r->events, &r->capacity, r->count, 1))
        return toll_no_memory(&r->failure);
    r->events[r->count] = (chrome_event){ f.ts,
                                          f.ph == 'B'   ? CHROME_BEGIN
                                          : f.ph == 'E' ? CHROME_END
                                                        : f.dur,
                                          track, function, r->count };
    r->count++;
    return true;
}

/* Read otherData, which shows whether Toll wrote the trace. */
static bool read_other_data(chrome_reader *r)
{
    uint32_t exporter = 0;
    toll_json_token t = toll_json_next(&r->j);
    if (t != TOLL_JSON_OBJECT)
        return toll_json_skip(&r->j, t);
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY) {
        bool wanted = toll_json_is(&r->j, "exporter");
        if (!(wanted ? read_text(r, &exporter) : toll_json_skip_next(&r->j)))
            return false;
    }
    r->ours = strcmp(toll_strtab_text(&r->strings, exporter), TOLL_CHROME_EXPORTER) == 0;
    return t == TOLL_JSON_OBJECT_END;
}

static bool read_events(chrome_reader *r)
{
    return toll_json_elements(&r->j, TOLL_JSON_OBJECT, "an event must be an object", read_event, r);
}

static bool read_member(chrome_reader *r, bool *any)
{
    if (toll_json_is(&r->j, "traceEvents")) {
        *any = true;
        return toll_json_expect(&r->j, TOLL_JSON_ARRAY, "traceEvents must be an array") &&
               read_events(r);
    }
    if (toll_json_is(&r->j, "otherData"))
        return read_other_data(r);
    return toll_json_skip_next(&r->j);
}

static bool read_document(chrome_reader *r)
{
    toll_json_token t = toll_json_next(&r->j);
    bool any = t == TOLL_JSON_ARRAY;
    if (any && !read_events(r))
        return false;
    if (t == TOLL_JSON_OBJECT)
        while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY)
            if (!read_member(r, &any))
                return false;
    if (!toll_json_ok(&r->j) || toll_json_next(&r->j) == TOLL_JSON_ERROR)
        return false;
    return any || toll_json_fail(&r->j, TOLL_E_SYNTAX,
                                 "there are no traceEvents; is this a Chrome trace?");
}

/* --- the file ----------------------------------------------------------------------------------*/

static bool set_up(chrome_reader *r)
{
    static const toll_counter time = { "time", "nanoseconds", 0 };
    static const toll_value_type axis = { "time", "nanoseconds" };
    toll_recorder_options o = {
        .size = sizeof o, .allocator = &r->mem, .counters = &time, .counter_count = 1
    };
    toll_error *err = r->failure.err;
    return toll_ok(&r->failure, toll_recorder_create(&o, &r->recorder, err)) &&
           (!r->job->want_timeline ||
            toll_ok(&r->failure, toll_timeline_create(&r->mem, axis, 0, &r->timeline, err)));
}

static bool add_notes(chrome_reader *r)
{
    const struct {
        const char *text;
        uint64_t count;
    } notes[] = { { "events other than B, E and X, passed over", r->others },
                  { "fractional values, rounded", r->fractions },
                  { "events that stick out of the one around them, cut", r->cut },
                  { "returns without a call", r->unmatched },
                  { "frames still open at the end", r->left_open } };
    bool good = true;
    for (size_t i = 0; good && i < sizeof notes / sizeof *notes; i++)
        good = toll_ok(&r->failure, toll_recorder_note(r->recorder, notes[i].text, notes[i].count,
                                                       r->failure.err));
    return good;
}

/* Finish the profile. The recorder's first track, "main", stays empty unless the file has a thread
 * of that name. */
static bool finish(chrome_reader *r)
{
    toll_profile *all;
    toll_error *err = r->failure.err;
    if ((r->timeline && !toll_ok(&r->failure, toll_timeline_status(r->timeline, err))) ||
        !add_notes(r) ||
        !toll_ok(&r->failure, toll_recorder_snapshot(r->recorder, &r->mem, &all, err)))
        return false;
    bool good = toll_ok(&r->failure, toll_profile_prune(all, &r->job->profile, err));
    toll_profile_free(all);
    if (good) {
        r->job->timeline = r->timeline;
        r->timeline = NULL;
    }
    return good;
}

static void clean_up(chrome_reader *r)
{
    toll_recorder_free(r->recorder);
    toll_timeline_free(r->timeline);
    toll_mem_free(&r->mem, r->events, r->capacity, sizeof *r->events);
    toll_mem_free(&r->mem, r->tracks, r->track_capacity, sizeof *r->tracks);
    toll_mem_free(&r->mem, r->open, r->open_capacity, sizeof *r->open);
    toll_mem_free(&r->mem, r->functions, r->function_capacity, sizeof *r->functions);
    toll_u64map_free(&r->function_index);
    toll_u64map_free(&r->name_index);
    toll_u64map_free(&r->track_index);
    toll_strtab_free(&r->strings);
    toll_json_free(&r->j);
}

toll_status toll_chrome_read(toll_read_job *job, toll_error *err)
{
    chrome_reader r = { .failure.err = err, .mem = *toll_input_mem(job->in), .job = job };
    toll_strtab_init(&r.strings, &r.mem);
    toll_u64map_init(&r.function_index, &r.mem);
    toll_u64map_init(&r.name_index, &r.mem);
    toll_u64map_init(&r.track_index, &r.mem);
    toll_json_begin(&r.j, job->in, &r.failure);
    if (!(set_up(&r) && read_document(&r) && toll_chrome_play(&r) && finish(&r)))
        toll_json_fail(&r.j, TOLL_E_SYNTAX, "malformed trace JSON");
    clean_up(&r);
    return r.failure.status;
}
