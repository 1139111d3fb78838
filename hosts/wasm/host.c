/* host.c - libtoll as a WebAssembly module, beside the module that is profiled: the four functions
 * that an instrumented module imports from "toll", so that an event is a call from one module to
 * the other, and what toll.mjs needs to begin and to take the profile. One recording an instance.
 *
 * Strings and bytes are in this module's memory; toll.mjs copies them in and out. */
#include "base/fail.h"
#include "record/recorder_inline.h"

#include <stdlib.h>
#include <string.h>
#include <toll/toll.h>

#define EXPORT(name) __attribute__((export_name(name)))

enum { WITH_TICKS = 1, WITH_TIME = 2 };

/* Nanoseconds, as the embedder measures them; only called WITH_TIME. */
__attribute__((import_module("toll_host"), import_name("now"))) double host_now(void);

static toll_recorder *recorder;
static toll_frame_id *frames; /* by the guest's function number */
static uint32_t frame_count;
static uint64_t now[2];
static bool has_ticks, has_time;
static bool is_plain; /* the recorder's steps in recorder_inline.h will do */
static toll_output *result;
static toll_error error;

/* --- events ------------------------------------------------------------------------------------*/

/* The counters: ticks, then time, as far as they are there; calls alone have one that stands. */
static inline const uint64_t *counters(uint64_t ticks)
{
    now[0] = ticks;
    if (has_time)
        now[has_ticks] = (uint64_t)host_now();
    return now;
}

/* What is not plain: the first event, time, a callee that the caller has not called last. */
static __attribute__((noinline)) void enter_other(toll_frame_id frame, uint64_t ticks)
{
    toll_recorder_call(recorder, frame, counters(ticks));
    is_plain = toll_recorder_is_plain(recorder);
}

static __attribute__((noinline)) void leave_other(uint64_t ticks)
{
    toll_recorder_return(recorder, counters(ticks));
}

EXPORT("enter") void enter(uint32_t function, uint64_t ticks)
{
    toll_frame_id frame = function < frame_count ? frames[function] : TOLL_NONE;
    if (!is_plain || !toll_recorder_call_plain(recorder, frame, ticks))
        enter_other(frame, ticks);
}

EXPORT("leave") void leave(uint32_t function, uint64_t ticks)
{
    (void)function;
    if (!is_plain || !toll_recorder_return_plain(recorder, ticks))
        leave_other(ticks);
}

EXPORT("depth") uint32_t depth(void)
{
    return (uint32_t)toll_recorder_depth(recorder);
}

EXPORT("unwind") void unwind(uint32_t to, uint64_t ticks)
{
    toll_recorder_unwind(recorder, to, counters(ticks));
}

/* --- for toll.mjs ------------------------------------------------------------------------------*/

EXPORT("alloc") void *alloc(size_t size)
{
    return malloc(size ? size : 1);
}

EXPORT("release") void release(void *block)
{
    free(block);
}

/* The text of the last failure, and how long it is. */
EXPORT("error_text") const char *error_text(void)
{
    return error.text;
}

EXPORT("error_size") size_t error_size(void)
{
    return strlen(error.text);
}

/* Begin recording a module with so many functions. 0: done. */
EXPORT("begin") int begin(uint32_t flags, uint32_t functions, uint32_t max_depth)
{
    static const toll_counter ticks = { "ticks", "count", 0 }, time = { "time", "nanoseconds", 0 };
    toll_counter both[2];
    uint32_t count = 0;
    has_ticks = flags & WITH_TICKS || !(flags & WITH_TIME);
    has_time = flags & WITH_TIME;
    if (has_ticks)
        both[count++] = ticks;
    if (has_time)
        both[count++] = time;
    toll_recorder_options options = { .counters = both,
                                      .counter_count = count,
                                      .max_depth = max_depth };
    frames = calloc(functions + 1, sizeof *frames);
    if (!frames)
        return toll_fail_nomem(&error);
    frame_count = functions;
    return toll_recorder_create(&options, &recorder, &error);
}

/* Function `function` is called name[size]. */
EXPORT("name") int name(uint32_t function, const char *text, size_t size, int imported)
{
    char *copy = strndup(text, size);
    toll_frame frame = { copy, "", 0, imported ? TOLL_KIND_NATIVE : TOLL_KIND_FUNCTION };
    int status = copy ? toll_recorder_frame(recorder, &frame, &frames[function], &error)
                      : toll_fail_nomem(&error);
    free(copy);
    return status;
}

static int write_profile(const char *format, const char *value)
{
    toll_profile *p;
    const toll_format_options options = { .value = *value ? value : NULL };
    toll_status status = toll_recorder_snapshot(recorder, NULL, &p, &error);
    if (!status)
        status = toll_output_to_memory(NULL, 0, &result, &error);
    if (!status)
        status = toll_profile_write(p, NULL, format, &options, result, &error);
    if (!status)
        status = toll_output_commit(result, &error);
    toll_profile_free(p);
    return status;
}

/* The profile so far, in a format, in result(). */
EXPORT("profile") int profile(const char *format, const char *value, uint64_t ticks)
{
    toll_output_free(result);
    result = NULL;
    toll_recorder_charge(recorder, counters(ticks));
    return write_profile(format, value);
}

/* The module data[size], instrumented, in result(). */
EXPORT("instrument")
int instrument(const void *data, size_t size, const char *only, const char *skip, int no_ticks)
{
    const toll_wasm_options options = { .only = *only ? only : NULL,
                                        .skip = *skip ? skip : NULL,
                                        .no_ticks = no_ticks };
    toll_input *in;
    toll_output_free(result);
    result = NULL;
    toll_status status = toll_input_from_memory(NULL, data, size, "module", &in, &error);
    if (status)
        return status;
    status = toll_output_to_memory(NULL, 0, &result, &error);
    if (!status)
        status = toll_wasm_instrument(NULL, in, &options, result, &error);
    if (!status)
        status = toll_output_commit(result, &error);
    toll_input_free(in);
    return status;
}

EXPORT("result") const void *result_data(void)
{
    size_t size;
    return toll_output_data(result, &size);
}

EXPORT("result_size") size_t result_size(void)
{
    size_t size = 0;
    toll_output_data(result, &size);
    return size;
}
