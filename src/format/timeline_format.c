/* timeline_format.c - reads and writes Toll's own format of timelines. The reader replays the run:
 * each thread's events, on a track of its own. The bytes are defined in record/timeline*.c. */
#include "base/buffer.h"
#include "format/format_row.h"
#include "profile/profile_data.h"
#include "record/timeline_data.h"
#include "record/timeline_load.h"

#include <string.h>
#include <toll/recorder.h>

#define NO_END "timelines without an end, read as far as they go: killed, or cut"

typedef struct player {
    toll_failure failure;
    const toll_timeline *timeline;
    const toll_profile *names;
    toll_recorder *recorder;
    toll_frame_id *frames; /* frame ids: the timeline's -> the recorder's */
    uint64_t last;         /* last time on the first axis, over all threads */
} player;

toll_sniff toll_timeline_format_sniff(const uint8_t *data, size_t size)
{
    return toll_timeline_is_file(data, size) ? TOLL_SNIFF_SURE : TOLL_SNIFF_NO;
}

static bool set_up(player *p, const toll_mem *mem)
{
    toll_counter counters[2] = { { 0 } };
    toll_error *err = p->failure.err;
    uint32_t axes = toll_profile_column_count(p->names);
    for (uint32_t i = 0; i < axes; i++) {
        toll_value_type axis = toll_profile_column(p->names, i);
        counters[i] = (toll_counter){ axis.type, axis.unit, 0 };
    }
    toll_recorder_options o = {
        .size = sizeof o, .allocator = mem, .counters = counters, .counter_count = axes
    };
    if (!toll_ok(&p->failure, toll_recorder_create(&o, &p->recorder, err)))
        return false;
    for (uint32_t i = 0; i < toll_profile_frame_count(p->names); i++) {
        toll_frame f = toll_profile_frame(p->names, i);
        if (!toll_ok(&p->failure, toll_recorder_add_frame(p->recorder, &f, &p->frames[i], err)))
            return false;
    }
    return true;
}

/* Without an open frame a thread is idle: nothing is charged until its next event. */
static void play_event(player *p, const toll_timeline_event *e)
{
    const uint64_t now[] = { e->at, e->second };
    if (e->is_open && toll_recorder_depth(p->recorder) == 0)
        toll_recorder_rebase(p->recorder, now);
    if (!e->is_open)
        toll_recorder_return(p->recorder, now);
    else if (e->is_call)
        toll_recorder_call(p->recorder, p->frames[e->frame], now);
    else
        toll_recorder_adopt(p->recorder, &p->frames[e->frame], 1, now);
}

static bool play_thread(player *p, toll_thread_id thread)
{
    toll_error *err = p->failure.err;
    const uint64_t zero[2] = { 0 };
    toll_track *track;
    toll_timeline_reader *r;
    toll_timeline_event e = { .at = 0 };
    toll_error own;
    int more;
    if (!toll_ok(&p->failure,
                 toll_recorder_new_track(p->recorder, toll_profile_thread_name(p->names, thread),
                                         &track, err)) ||
        !toll_ok(&p->failure, toll_timeline_read_thread(p->timeline, thread, &r, err)))
        return false;
    toll_recorder_rebase(p->recorder, zero);
    toll_recorder_switch(p->recorder, track, zero);
    while ((more = toll_timeline_next(r, &e, err ? err : &own)) == 1)
        play_event(p, &e);
    toll_timeline_reader_free(r);
    p->last = e.at > p->last ? e.at : p->last;
    return toll_ok(&p->failure, more < 0 ? (err ? err : &own)->status : TOLL_OK);
}

static bool add_notes(player *p, const toll_timeline_facts *facts)
{
    toll_error *err = p->failure.err;
    bool good = true;
    for (uint32_t i = 0; good && i < toll_profile_note_count(p->names); i++) {
        uint64_t count;
        const char *text = toll_profile_note(p->names, i, &count);
        good = toll_ok(&p->failure, toll_recorder_note(p->recorder, text, count, err));
    }
    return good &&
           toll_ok(&p->failure, toll_recorder_note(p->recorder, NO_END, !facts->has_end, err)) &&
           toll_ok(&p->failure, toll_recorder_note(p->recorder, "frames still open at the end",
                                                   facts->left_open, err));
}

/* The recorder's first track, "main", stays empty unless the file has a thread of that name. */
static bool finish(player *p, toll_read_job *job)
{
    toll_profile *all, *labelled = NULL;
    toll_error *err = p->failure.err;
    bool is_time = strcmp(toll_profile_column(p->names, 0).unit, "nanoseconds") == 0;
    if (!toll_ok(&p->failure, toll_recorder_snapshot(p->recorder, &job->mem, &all, err)))
        return false;
    bool good = toll_ok(&p->failure,
                        toll_profile_with_label_list(all, &p->timeline->labels, &labelled, err)) &&
                toll_ok(&p->failure, toll_profile_prune(labelled, &job->profile, err));
    toll_profile_free(labelled);
    toll_profile_free(all);
    if (good && is_time)
        toll_profile_set_time(job->profile, toll_timeline_start(p->timeline),
                              p->last > INT64_MAX ? 0 : (int64_t)p->last);
    return good;
}

static toll_status play(toll_read_job *job, const toll_timeline *t,
                        const toll_timeline_facts *facts, toll_error *err)
{
    player p = { .failure.err = err, .timeline = t, .names = toll_timeline_names(t) };
    size_t frame_count = toll_profile_frame_count(p.names);
    p.frames = toll_mem_new(&job->mem, frame_count, sizeof *p.frames);
    bool good = p.frames || !frame_count || toll_no_memory(&p.failure);
    good = good && set_up(&p, &job->mem);
    for (uint32_t i = 0; good && i < toll_profile_thread_count(p.names); i++)
        good = play_thread(&p, i);
    if (good && add_notes(&p, facts))
        finish(&p, job);
    toll_recorder_free(p.recorder);
    toll_mem_free(&job->mem, p.frames, frame_count, sizeof *p.frames);
    return p.failure.status;
}

toll_status toll_timeline_format_read(toll_read_job *job, toll_error *err)
{
    toll_timeline *t;
    toll_timeline_facts facts;
    toll_status status = toll_timeline_load(job->in, &t, &facts, err);
    if (status)
        return status;
    if (!facts.has_end && job->options->strict)
        status = toll_fail(err, TOLL_E_TRUNCATED,
                           "%s: the timeline has no end: the program was killed, or the file is "
                           "cut; without --strict it is read as far as it goes",
                           toll_input_name(job->in));
    if (!status)
        status = play(job, t, &facts, err);
    if (!status && job->want_timeline)
        job->timeline = t;
    else
        toll_timeline_free(t);
    return status;
}

toll_status toll_timeline_format_write(const toll_write_job *job, toll_error *err)
{
    return toll_timeline_put(job->timeline, job->threads, job->out, err);
}
