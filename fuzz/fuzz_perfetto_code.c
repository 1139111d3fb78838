/* fuzz_perfetto_code.c - fuzzes traces for Perfetto: for any sequence of calls the trace is
 * well-formed protocol buffers, on each of its sequences every slice that begins also ends, time
 * never runs backwards, and there are as many slices as opened frames. */
#include "fuzz_profile.h"

#include "base/wire.h"

enum { FRAMES = 4, THREADS = 2 };
/* Fields: see src/format/perfetto_write.c. */
enum { PACKET_SEQUENCE = 10, PACKET_EVENT = 11, EVENT_TYPE = 9, SLICE_BEGIN = 1, SLICE_END = 2 };

/* Make the timeline of the input; *opened becomes the number of frames that it opened. */
static toll_timeline *play(const toll_allocator *a, fuzz_bytes b, size_t *opened)
{
    toll_timeline *t;
    toll_frame_id frames[FRAMES];
    toll_thread_id threads[THREADS];
    char name[16];
    uint64_t now = 0;
    toll_value_type axis = { "time", fuzz_byte(&b) % 2 ? "nanoseconds" : "count" };
    fuzz_require(!toll_timeline_create(a, axis, 1, &t, NULL), "no timeline");
    for (int i = 0; i < FRAMES; i++) {
        toll_frame f = { .name = fuzz_name(&b, name), .line = fuzz_byte(&b), .file = "a.c" };
        fuzz_require(!toll_timeline_add_frame(t, &f, &frames[i], NULL), "no frame");
    }
    for (int i = 0; i < THREADS; i++)
        fuzz_require(!toll_timeline_add_thread(t, fuzz_name(&b, name), &threads[i], NULL),
                     "no thread");
    while (b.at < b.end) {
        unsigned what = fuzz_byte(&b);
        now += what >> 4;
        if (what & 1)
            toll_timeline_open(t, threads[what >> 1 & 1], frames[what >> 2 & 3], now);
        else
            toll_timeline_close(t, threads[what >> 1 & 1], now);
        *opened += what & 1;
    }
    fuzz_require(!toll_timeline_finish(t, NULL), "not finished");
    return t;
}

static uint64_t event_type(toll_wire event)
{
    toll_wire_field f;
    uint64_t type = 0;
    int more;
    while ((more = toll_wire_next(&event, &f)) > 0)
        type = f.number == EVENT_TYPE ? f.value : type;
    fuzz_require(more == 0, "an event that is malformed");
    return type;
}

/* Read a packet: the type of its event, and its sequence. */
static uint64_t read_packet(toll_wire packet, uint64_t *sequence)
{
    toll_wire_field f;
    uint64_t type = 0;
    int more;
    while ((more = toll_wire_next(&packet, &f)) > 0) {
        if (f.number == PACKET_SEQUENCE)
            *sequence = f.value;
        if (f.number == PACKET_EVENT)
            type = event_type(f.bytes);
    }
    fuzz_require(more == 0, "a packet that is malformed");
    return type;
}

static void hold_trace(const uint8_t *data, size_t size, size_t opened)
{
    toll_wire trace = { data, data + size };
    toll_wire_field packet;
    int64_t open[THREADS + 2] = { 0 };
    size_t slices = 0;
    int more;
    while ((more = toll_wire_next(&trace, &packet)) > 0) {
        uint64_t sequence = 0, type = read_packet(packet.bytes, &sequence);
        fuzz_require(sequence < THREADS + 2, "a sequence of no thread");
        open[sequence] += type == SLICE_BEGIN ? 1 : type == SLICE_END ? -1 : 0;
        slices += type == SLICE_BEGIN;
        fuzz_require(open[sequence] >= 0, "an end without a begin");
    }
    fuzz_require(more == 0, "a trace that is malformed");
    fuzz_require(slices == opened, "another number of slices");
    for (int i = 0; i < THREADS + 2; i++)
        fuzz_require(open[i] == 0, "a slice without an end");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    size_t opened = 0;
    toll_output *out;
    toll_timeline *t = play(&a, fuzz_part(data, size, 0, 1), &opened);
    fuzz_require(!toll_output_to_memory(&a, 0, &out, NULL), "no output");
    fuzz_require(!toll_profile_write(toll_timeline_names(t), t, "perfetto", NULL, out, NULL),
                 "no trace");
    const void *trace = fuzz_text(out, &size);
    fuzz_see_output("perfetto", out);
    hold_trace(trace, size, opened);
    toll_output_free(out);
    toll_timeline_free(t);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
