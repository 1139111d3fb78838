/* embed.c - begins and ends a recording of toll/embed.h, and makes the ids of functions. */
#include "base/fail.h"
#include "base/sized_options.h"
#include "embed/embed_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char variable[] = "TOLL_OUT";

/* --- the beginning -----------------------------------------------------------------------------*/

/* The VM's counter; else CPU time and what was waited; else, where CPU time is not cheap or not
 * wanted, wall time. Returns their number. */
static uint32_t list_counters(const toll_embed *e, const toll_embed_options *o,
                              toll_counter counters[TOLL_EMBED_COUNTERS])
{
    const char *type = o->counter ? "ticks" : e->clock ? "time" : "cpu";
    counters[0] = (toll_counter){
        .type = o->counter_type ? o->counter_type : type,
        .unit = o->counter_unit ? o->counter_unit
                : o->counter    ? "count"
                                : "nanoseconds",
        .counts_down = o->counts_down,
    };
    counters[1] = (toll_counter){ "waited", "nanoseconds", 0 };
    return o->counter || e->clock ? 1 : 2;
}

static toll_status start_clock(toll_embed *e, const toll_embed_options *o, toll_error *err)
{
    if (o->counter || (!o->wall_time && toll_cpu_clock_start(&e->cpu)))
        return TOLL_OK;
    toll_cpu_clock_end(&e->cpu);
    return toll_clock_create(NULL, &e->clock, err);
}

static toll_status make_recorder(toll_embed *e, const toll_embed_options *o, toll_error *err)
{
    toll_counter counters[TOLL_EMBED_COUNTERS];
    toll_recorder_options own;
    toll_status status =
        toll_options_copy(&own, sizeof own, o->recorder, "toll_recorder_options", err);
    if (!status && own.counter_count)
        status = toll_fail(err, TOLL_E_ARGUMENT,
                           "toll_embed_options.recorder has counters; set toll_embed_options."
                           "counter instead");
    if (!status && o->counter && o->wall_time)
        status = toll_fail(err, TOLL_E_ARGUMENT,
                           "toll_embed_options has a counter, and asks for wall time");
    if (!status && !o->counter && (o->counts_down || o->counter_unit))
        status = toll_fail(err, TOLL_E_ARGUMENT,
                           "toll_embed_options says how its counter counts, but has none");
    own.counters = counters;
    own.counter_count = list_counters(e, o, counters);
    return status ? status : toll_recorder_create(&own, &e->recorder, err);
}

/* Check the name: all recordings of a process, and of forked ones, write to the name in
 * TOLL_OUT. */
static toll_status check_name(const toll_embed *e, toll_error *err)
{
    static bool has_begun; /* used only while the recording is claimed */
    if (has_begun && !e->is_numbered)
        return toll_fail(err, TOLL_E_STATE,
                         "%s=%.200s: this process has recorded once already; put %%n into the "
                         "name for a file of each recording",
                         variable, e->pattern);
    if (has_begun && !e->is_by_process && toll_embed_is_forked())
        return toll_fail(err, TOLL_E_STATE,
                         "%s=%.200s: the parent process records; put %%p into the name for a file "
                         "of each process",
                         variable, e->pattern);
    has_begun = true;
    return TOLL_OK;
}

static void free_parts(toll_embed *e)
{
    toll_recorder_free(e->recorder);
    toll_clock_free(e->clock);
    toll_cpu_clock_end(&e->cpu);
    e->recorder = NULL;
    e->clock = NULL;
}

static toll_status set_up(toll_embed *e, const toll_embed_options *o, const char *path,
                          toll_error *err)
{
    toll_status status = toll_embed_set_path(e, path, err);
    if (!status && !o->path)
        status = check_name(e, err);
    e->counter = o->counter;
    if (!status)
        status = start_clock(e, o, err);
    if (!status)
        status = make_recorder(e, o, err);
    if (status)
        free_parts(e);
    return status;
}

static toll_status begin(const toll_embed_options *options, toll_embed **out, toll_error *err)
{
    toll_embed_options own;
    toll_status status = toll_options_copy(&own, sizeof own, options, "toll_embed_options", err);
    if (status)
        return status;
    const char *path = own.path ? own.path : getenv(variable);
    if (!path || !*path)
        return TOLL_OK;
    toll_embed *e = toll_embed_claim();
    if (!e)
        return toll_fail(err, TOLL_E_STATE,
                         "another recording of this process goes on; give each VM a recorder of "
                         "its own (toll/recorder.h)");
    status = set_up(e, &own, path, err);
    if (status) {
        toll_embed_let_go(e);
        return status;
    }
    toll_embed_go_live(e, !own.no_signals);
    *out = e;
    return TOLL_OK;
}

toll_embed *toll_embed_begin(const toll_embed_options *options)
{
    toll_embed *e = NULL;
    toll_error err;
    if (begin(options, &e, &err))
        toll_embed_complain(&err);
    return e;
}

/* --- the end -----------------------------------------------------------------------------------*/

toll_status toll_embed_save(toll_embed *e, toll_error *err)
{
    if (!toll_embed_enter(e))
        return TOLL_OK;
    toll_status status = toll_embed_write(e, 0, err);
    toll_embed_leave(e);
    return status;
}

toll_status toll_embed_end(toll_embed *e, toll_error *err)
{
    toll_error own;
    if (!e)
        return TOLL_OK;
    toll_status status = toll_embed_finish(e, err ? err : &own);
    if (status && !err)
        toll_embed_complain(&own);
    free_parts(e);
    toll_embed_let_go(e);
    return status;
}

/* --- functions ---------------------------------------------------------------------------------*/

int toll_embed_is_new(const toll_embed *e, toll_embed_id id)
{
    return e && id >> 32 != e->number;
}

/* A function without a name gets its place (FILE:LINE) as name. */
static const char *name_of(const char *name, const char *file, uint32_t line, char *room,
                           size_t size)
{
    if (name && *name)
        return name;
    if (!file || !*file)
        return "(anonymous)";
    snprintf(room, size, "%s:%" PRIu32, file, line);
    return room;
}

toll_embed_id toll_embed_add(toll_embed *e, const char *name, const char *file, uint32_t line)
{
    char room[TOLL_OS_PATH_SIZE];
    toll_frame frame = { .name = name_of(name, file, line, room, sizeof room),
                         .file = file,
                         .line = line };
    toll_frame_id id;
    if (!toll_embed_enter(e))
        return 0;
    toll_recorder_add_frame(e->recorder, &frame, &id, NULL); /* on failure `id` is TOLL_NONE */
    toll_embed_leave(e);
    return (uint64_t)e->number << 32 | (uint32_t)(id + 1);
}
