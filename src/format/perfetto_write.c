/* perfetto_write.c - writes a timeline as a Perfetto trace: protocol buffers, perfetto.protos.Trace
 * (protos/perfetto/trace in Perfetto's sources).
 *
 * Each thread is a sequence of packets of its own: a clock that counts from packet to packet, the
 * descriptor of its track, and a packet for each event. Names and places are defined (interned) in
 * the packet that uses them first on their sequence. */
#include "base/fail.h"
#include "base/wire.h"
#include "format/begins.h"
#include "format/event_batch.h"
#include "format/format_row.h"
#include "profile/order.h"

#include <string.h>

/* Numbers of fields, by message. */
enum { TRACE_PACKET = 1 };
enum {
    PACKET_CLOCK_SNAPSHOT = 6,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_DEFAULTS = 59,
    PACKET_TRACK = 60
};
enum { SNAPSHOT_CLOCK = 1, SNAPSHOT_PRIMARY = 2 };
enum { CLOCK_ID = 1, CLOCK_TIME = 2, CLOCK_INCREMENTAL = 3, CLOCK_UNIT_NS = 4 };
enum { DEFAULTS_EVENT = 11, DEFAULTS_CLOCK = 58 };
enum { TRACK_UUID = 1, TRACK_THREAD = 4 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum { INTERNED_NAMES = 2, INTERNED_ANNOTATIONS = 3, INTERNED_PLACES = 4 };
enum { NAME_ID = 1, NAME_TEXT = 2 };
enum { PLACE_ID = 1, PLACE_FILE = 2, PLACE_FUNCTION = 3, PLACE_LINE = 4 };
enum { EVENT_ANNOTATION = 4, EVENT_TYPE = 9, EVENT_NAME = 10, EVENT_TRACK = 11, EVENT_PLACE = 34 };
enum { ANNOTATION_NAME = 1, ANNOTATION_UINT = 3 };

enum {
    CLOCK_OF_SEQUENCE = 64, /* the first id that a sequence may give to a clock of its own */
    BOOTTIME_CLOCK = 6,
    REALTIME_CLOCK = 1,
    STATE_CLEARED = 1, /* flags: what was interned before is no longer valid */
    NEEDS_STATE = 2,   /* the packet refers to interned data */
    SLICE_BEGIN = 1,
    SLICE_END = 2
};

/* Whether the current sequence has defined a frame. */
typedef struct interned {
    uint32_t sequence; /* the last sequence that defined it */
    bool has_place;
} interned;

typedef struct writer {
    const toll_write_job *job;
    const toll_profile *names;
    const toll_mem *mem;
    toll_buffer packet, message, part; /* a part is nested in a message, a message in a packet */
    uint32_t sequence;                 /* of the current thread: 1, 2, ... */
    interned *interned;                /* by frame; the last element is the axis */
    toll_batch batch;
    uint64_t last; /* time of the previous packet of the sequence */
    toll_begins begins;
    bool has_second;
} writer;

/* Add the message to the packet as a field, and empty the message. */
static void end_message(writer *w, uint32_t number)
{
    toll_wire_put_bytes(&w->packet, number, w->message.data, w->message.size);
    w->packet.failed |= w->message.failed;
    toll_buffer_clear(&w->message);
}

static void end_part(writer *w, uint32_t number)
{
    toll_wire_put_bytes(&w->message, number, w->part.data, w->part.size);
    w->message.failed |= w->part.failed;
    toll_buffer_clear(&w->part);
}

static void put_text(toll_buffer *to, uint32_t number, const char *text)
{
    toll_wire_put_bytes(to, number, text, strlen(text));
}

/* Write the complete packet. False: no memory. */
static bool end_packet(writer *w)
{
    bool good = !w->packet.failed;
    toll_wire_put_bytes(&w->message, TRACE_PACKET, w->packet.data, w->packet.size);
    good = good && !w->message.failed;
    char *to = good ? toll_batch_begin(&w->batch, w->message.size) : NULL;
    if (to)
        toll_batch_end(&w->batch, toll_put_piece(to, w->message.data, w->message.size));
    toll_buffer_clear(&w->message);
    toll_buffer_clear(&w->packet);
    return to != NULL;
}

static void begin_packet(writer *w, uint64_t flags)
{
    toll_wire_put_int(&w->packet, PACKET_SEQUENCE, w->sequence);
    toll_wire_put_int(&w->packet, PACKET_FLAGS, flags);
}

/* --- the beginning of a sequence ---------------------------------------------------------------*/

/* Nanoseconds of one unit of the axis. Units other than time are shown as microseconds. */
static uint64_t unit_ns(toll_value_type axis)
{
    static const struct {
        const char *unit;
        uint64_t ns;
    } units[] = { { "nanoseconds", 1 }, { "milliseconds", 1000000 }, { "seconds", 1000000000 } };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(axis.unit, units[i].unit) == 0)
            return units[i].ns;
    return 1000;
}

static void put_clock(writer *w, uint64_t id, uint64_t now, uint64_t unit)
{
    toll_wire_put_int(&w->part, CLOCK_ID, id);
    toll_wire_put_varint(&w->part, CLOCK_TIME << 3);
    toll_wire_put_varint(&w->part, now);
    toll_wire_put_int(&w->part, CLOCK_INCREMENTAL, unit != 0);
    toll_wire_put_int(&w->part, CLOCK_UNIT_NS, unit);
    end_part(w, SNAPSHOT_CLOCK);
}

/* Define the sequence's clock so that its 0 is the system clock's 0, where the trace begins. */
static bool put_clocks(writer *w)
{
    int64_t start = toll_timeline_start(w->job->timeline);
    begin_packet(w, STATE_CLEARED);
    put_clock(w, BOOTTIME_CLOCK, 0, 0);
    if (start > 0)
        put_clock(w, REALTIME_CLOCK, (uint64_t)start, 0);
    put_clock(w, CLOCK_OF_SEQUENCE, 0, unit_ns(toll_timeline_axis(w->job->timeline)));
    toll_wire_put_int(&w->message, SNAPSHOT_PRIMARY, BOOTTIME_CLOCK);
    end_message(w, PACKET_CLOCK_SNAPSHOT);
    toll_wire_put_int(&w->message, DEFAULTS_CLOCK, CLOCK_OF_SEQUENCE);
    toll_wire_put_int(&w->part, EVENT_TRACK, w->sequence);
    end_part(w, DEFAULTS_EVENT);
    end_message(w, PACKET_DEFAULTS);
    return end_packet(w);
}

static bool put_track(writer *w, const char *name)
{
    begin_packet(w, 0);
    toll_wire_put_int(&w->message, TRACK_UUID, w->sequence);
    toll_wire_put_int(&w->part, THREAD_PID, 1);
    toll_wire_put_int(&w->part, THREAD_TID, w->sequence);
    put_text(&w->part, THREAD_NAME, name);
    end_part(w, TRACK_THREAD);
    end_message(w, PACKET_TRACK);
    return end_packet(w);
}

/* --- events ------------------------------------------------------------------------------------*/

/* Define the frame's name and place in the current packet. */
static void intern_frame(writer *w, toll_frame_id frame)
{
    toll_frame f = toll_profile_frame(w->names, frame);
    w->interned[frame] = (interned){ w->sequence, *f.file != 0 };
    toll_wire_put_int(&w->part, NAME_ID, frame + UINT64_C(1));
    put_text(&w->part, NAME_TEXT, f.name);
    end_part(w, INTERNED_NAMES);
    if (*f.file) {
        toll_wire_put_int(&w->part, PLACE_ID, frame + UINT64_C(1));
        put_text(&w->part, PLACE_FILE, f.file);
        put_text(&w->part, PLACE_FUNCTION, f.name);
        toll_wire_put_int(&w->part, PLACE_LINE, f.line);
        end_part(w, INTERNED_PLACES);
    }
    end_message(w, PACKET_INTERNED);
}

static void intern_axis(writer *w)
{
    toll_value_type axis;
    w->interned[toll_profile_frame_count(w->names)].sequence = w->sequence;
    toll_timeline_second_axis(w->job->timeline, &axis);
    toll_wire_put_int(&w->part, NAME_ID, 1);
    put_text(&w->part, NAME_TEXT, axis.type);
    end_part(w, INTERNED_ANNOTATIONS);
    end_message(w, PACKET_INTERNED);
}

/* Has the sequence already defined everything that the event refers to? */
static bool is_interned(const writer *w, const toll_timeline_event *e)
{
    uint32_t axis = toll_profile_frame_count(w->names);
    return e->is_open ? w->interned[e->frame].sequence == w->sequence
                      : !w->has_second || w->interned[axis].sequence == w->sequence;
}

static void intern(writer *w, const toll_timeline_event *e)
{
    if (e->is_open)
        intern_frame(w, e->frame);
    else
        intern_axis(w);
}

/* The maximum sizes, in bytes, of an event's fields, and of the fields before them. */
enum { FIELDS_SIZE = 40, HEAD_SIZE = 24 };

static uint8_t *put_field(uint8_t *to, uint32_t number, uint64_t value)
{
    return toll_put_varint(toll_put_varint(to, number << 3), value);
}

static uint8_t *put_begin(const writer *w, const toll_timeline_event *e, uint8_t *to)
{
    to = put_field(to, EVENT_TYPE, SLICE_BEGIN);
    to = put_field(to, EVENT_NAME, e->frame + UINT64_C(1));
    return w->interned[e->frame].has_place ? put_field(to, EVENT_PLACE, e->frame + UINT64_C(1))
                                           : to;
}

static uint8_t *put_end(const writer *w, uint64_t spent, uint8_t *to)
{
    to = put_field(to, EVENT_TYPE, SLICE_END);
    if (!w->has_second)
        return to;
    *to++ = EVENT_ANNOTATION << 3 | TOLL_WIRE_BYTES;
    uint8_t *size = to++;
    to = put_field(put_field(to, ANNOTATION_NAME, 1), ANNOTATION_UINT, spent);
    *size = (uint8_t)(to - size - 1);
    return to;
}

/* Write the packet of an event that defines nothing. Its sizes need one byte each. */
static bool put_known(writer *w, const uint8_t *head, size_t head_size, const uint8_t *fields,
                      size_t size)
{
    char *to = toll_batch_begin(&w->batch, HEAD_SIZE + FIELDS_SIZE + 4);
    if (!to)
        return false;
    *to++ = TRACE_PACKET << 3 | TOLL_WIRE_BYTES;
    *to++ = (char)(head_size + 2 + size);
    to = toll_put_piece(to, head, head_size);
    *to++ = PACKET_EVENT << 3 | TOLL_WIRE_BYTES;
    *to++ = (char)size;
    toll_batch_end(&w->batch, toll_put_piece(to, fields, size));
    return true;
}

static bool put_event(writer *w, const toll_timeline_event *e)
{
    uint8_t head[HEAD_SIZE], fields[FIELDS_SIZE], *to = head;
    uint64_t spent = 0;
    if (w->has_second && !toll_begins_next(w->mem, &w->begins, e, &spent))
        return false;
    bool is_first = !is_interned(w, e);
    to = put_field(to, PACKET_SEQUENCE, w->sequence);
    to = put_field(to, PACKET_FLAGS, NEEDS_STATE);
    to = put_field(to, PACKET_TIMESTAMP, e->at - w->last); /* also a 0: without the field the packet
                                                            * would have no time */
    w->last = e->at;
    size_t head_size = (size_t)(to - head);
    if (is_first) {
        toll_buffer_append(&w->packet, head, head_size);
        intern(w, e);
    }
    to = e->is_open ? put_begin(w, e, fields) : put_end(w, spent, fields);
    size_t size = (size_t)(to - fields);
    if (!is_first)
        return put_known(w, head, head_size, fields, size);
    toll_wire_put_bytes(&w->packet, PACKET_EVENT, fields, size);
    return end_packet(w);
}

static toll_status put_thread(writer *w, toll_thread_id thread, toll_error *err)
{
    toll_timeline_reader *r;
    toll_timeline_event e;
    int more = 0;
    bool good = put_clocks(w) && put_track(w, toll_profile_thread_title(w->job->threads, thread));
    toll_status status = toll_timeline_read_thread(w->job->timeline, thread, &r, err);
    if (status)
        return status;
    w->last = 0;
    while (good && (more = toll_timeline_next(r, &e, err)) == 1)
        good = put_event(w, &e);
    toll_timeline_reader_free(r);
    if (more < 0)
        return err->status;
    return good ? TOLL_OK : toll_fail_nomem(err);
}

toll_sniff toll_perfetto_sniff(const uint8_t *data, size_t size)
{
    /* A trace of Toll begins with a packet that starts with its sequence. */
    return size > 2 && data[0] == (TRACE_PACKET << 3 | TOLL_WIRE_BYTES) &&
                   data[2] == PACKET_SEQUENCE << 3
               ? TOLL_SNIFF_SURE
               : TOLL_SNIFF_NO;
}

static toll_status put_threads(writer *w, toll_error *err)
{
    toll_order order;
    toll_status status = toll_order_create(&order, w->names, err);
    if (status)
        return status;
    for (uint32_t i = 0; !status && i < order.thread_count; i++) {
        w->sequence = i + 1;
        status = put_thread(w, order.threads[i], err);
    }
    toll_order_free(&order);
    return status;
}

toll_status toll_perfetto_write(const toll_write_job *job, toll_error *err)
{
    const toll_profile *names = toll_timeline_names(job->timeline);
    toll_value_type axis = toll_timeline_axis(job->timeline);
    writer w = { .job = job, .names = names, .mem = toll_profile_mem(job->profile) };
    size_t count = (size_t)toll_profile_frame_count(names) + 1;
    if (!strstr(axis.unit, "seconds"))
        toll_format_warn(job->options, "perfetto knows only time: %s are written as microseconds",
                         axis.type);
    w.has_second = toll_timeline_second_axis(job->timeline, NULL);
    w.interned = toll_mem_new(w.mem, count, sizeof *w.interned);
    if (!w.interned)
        return toll_fail_nomem(err);
    toll_batch_init(&w.batch, w.mem, job->out);
    toll_buffer_init(&w.packet, w.mem);
    toll_buffer_init(&w.message, w.mem);
    toll_buffer_init(&w.part, w.mem);
    toll_status status = put_threads(&w, err);
    toll_batch_flush(&w.batch);
    toll_buffer_free(&w.batch.bytes);
    toll_buffer_free(&w.packet);
    toll_buffer_free(&w.message);
    toll_buffer_free(&w.part);
    toll_begins_free(w.mem, &w.begins);
    toll_mem_free(w.mem, w.interned, count, sizeof *w.interned);
    return status;
}
