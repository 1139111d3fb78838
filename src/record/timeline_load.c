/* timeline_load.c - see timeline_load.h.
 *
 * Blocks are in the order in which they were begun, and while a guest runs, blocks of definitions
 * and of events are filled at the same time: a frame may be defined after the block with its
 * events. So events are stored first, and checked once everything is defined. */
#include "record/timeline_load.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/wire.h"
#include "profile/frame_name.h"
#include "record/timeline_data.h"

#include <inttypes.h>
#include <string.h>

/* Limits in bytes. Definitions are shorter than DEFINITIONS_MOST. */
enum { DEFINITIONS_MOST = 64 * 1024 * 1024, CHUNK = 64 * 1024 };

typedef struct loader {
    toll_failure failure;
    toll_input *in;
    toll_timeline *t;
    toll_buffer bytes;    /* the bytes of a block of definitions */
    toll_buffer texts;    /* the texts of a definition, each with a NUL */
    bool ended;           /* no block follows */
    uint64_t event_count; /* the number of events, according to the file's end */
} loader;

/* The header of a block. */
typedef struct head {
    uint8_t kind;
    uint32_t size, thread;
} head;

static bool fail(loader *l, toll_status status, const char *what, const char *todo)
{
    return toll_ok(&l->failure,
                   toll_fail(l->failure.err, status, "%s: byte %" PRIu64 ": %s; %s",
                             toll_input_name(l->in), toll_input_offset(l->in), what, todo));
}

static bool damaged(loader *l, const char *what)
{
    return fail(l, TOLL_E_SYNTAX, what, "the file is damaged, record it again");
}

static uint32_t get_u32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* --- definitions -------------------------------------------------------------------------------*/

static bool read_number(loader *l, toll_wire *w, uint64_t most, uint64_t *number)
{
    if (!toll_wire_take_varint(w, number) || *number > most)
        return damaged(l, "a definition has no number where there should be one");
    return true;
}

/* Read a text and append it to l->texts; *at is its offset there. */
static bool read_text(loader *l, toll_wire *w, size_t *at)
{
    uint64_t size;
    if (!read_number(l, w, (uint64_t)(w->end - w->p), &size) || size > (uint64_t)(w->end - w->p))
        return damaged(l, "a definition has no text where there should be one");
    *at = l->texts.size;
    if (!toll_buffer_append(&l->texts, w->p, (size_t)size) ||
        !toll_buffer_append_byte(&l->texts, 0))
        return toll_no_memory(&l->failure);
    w->p += size;
    return true;
}

static const char *text(const loader *l, size_t at)
{
    return (const char *)l->texts.data + at;
}

static bool define_axis(loader *l, toll_wire *w)
{
    size_t type, unit;
    toll_profile *names = l->t->names;
    if (!read_text(l, w, &type) || !read_text(l, w, &unit))
        return false;
    if (names->column_count == 2 || names->thread_count)
        return damaged(l, "an axis is defined too late");
    uint32_t before = names->column_count;
    if (!toll_ok(&l->failure, toll_profile_add_column(names, text(l, type), text(l, unit), NULL,
                                                      l->failure.err)))
        return false;
    l->t->has_second = names->column_count == 2;
    return names->column_count > before || damaged(l, "an axis is defined twice");
}

/* Add the file's next frame. After its name is demangled it may equal a frame that exists
 * already. */
static bool add_frame(loader *l, toll_frame *frame)
{
    toll_timeline *t = l->t;
    toll_frame_id id;
    toll_buffer room;
    toll_buffer_init(&room, &t->mem);
    bool good = toll_frame_demangle(frame, &room) || toll_no_memory(&l->failure);
    if (good)
        good = toll_ok(&l->failure, toll_profile_add_frame(t->names, frame, &id, l->failure.err));
    toll_buffer_free(&room);
    if (good && !toll_array_grow(&t->mem, &t->frames, &t->frame_capacity, t->frame_count, 1))
        good = toll_no_memory(&l->failure);
    if (good)
        t->frames[t->frame_count++] = id;
    return good;
}

static bool define_frame(loader *l, toll_wire *w)
{
    size_t texts[5];
    uint64_t numbers[5];
    if (!read_text(l, w, &texts[0]) || !read_text(l, w, &texts[1]) ||
        !read_number(l, w, UINT32_MAX, &numbers[0]) ||
        !read_number(l, w, TOLL_KIND_COUNT - 1, &numbers[1]) || !read_text(l, w, &texts[2]) ||
        !read_text(l, w, &texts[3]) || !read_text(l, w, &texts[4]) ||
        !read_number(l, w, UINT64_MAX, &numbers[2]) ||
        !read_number(l, w, UINT32_MAX, &numbers[3]) || !read_number(l, w, UINT64_MAX, &numbers[4]))
        return false;
    toll_frame f = { .name = text(l, texts[0]),
                     .file = text(l, texts[1]),
                     .line = (uint32_t)numbers[0],
                     .kind = (toll_frame_kind)numbers[1],
                     .system_name = text(l, texts[2]),
                     .module = text(l, texts[3]),
                     .build_id = text(l, texts[4]),
                     .address = numbers[2],
                     .at_line = (uint32_t)numbers[3],
                     .at_address = numbers[4] };
    return add_frame(l, &f);
}

static bool define_thread(loader *l, toll_wire *w)
{
    size_t name;
    toll_thread_id id;
    if (!read_text(l, w, &name) ||
        !toll_ok(&l->failure, toll_profile_add_labelled_thread(
                                  l->t->names, text(l, name), l->t->labels.items,
                                  (uint32_t)l->t->labels.count, &id, l->failure.err)))
        return false;
    if (id != l->t->thread_count)
        return damaged(l, "a thread is defined twice");
    return toll_timeline_new_thread(l->t) || toll_no_memory(&l->failure);
}

static bool define_rename(loader *l, toll_wire *w)
{
    uint64_t frame;
    size_t name;
    if (!read_number(l, w, UINT32_MAX, &frame) || !read_text(l, w, &name))
        return false;
    if (frame >= l->t->frame_count)
        return damaged(l, "a frame gets another name before it is defined");
    return toll_ok(&l->failure, toll_profile_rename_frame(l->t->names, l->t->frames[frame],
                                                          text(l, name), l->failure.err));
}

static bool define_labels(loader *l, toll_wire *w)
{
    size_t labels;
    if (!read_text(l, w, &labels))
        return false;
    toll_status status = toll_timeline_set_labels(l->t, text(l, labels), NULL);
    return status == TOLL_E_ARGUMENT ? damaged(l, "labels are none, or are defined too late")
           : status                  ? toll_no_memory(&l->failure)
                                     : true;
}

static bool define_note(loader *l, toll_wire *w)
{
    uint64_t count;
    size_t note;
    return read_number(l, w, UINT64_MAX, &count) && read_text(l, w, &note) &&
           toll_ok(&l->failure,
                   toll_profile_add_note(l->t->names, text(l, note), count, l->failure.err));
}

static bool define(loader *l, uint8_t kind, toll_wire w)
{
    uint64_t start;
    toll_buffer_clear(&l->texts);
    switch (kind) {
    case TOLL_DEFINE_AXIS: return define_axis(l, &w);
    case TOLL_DEFINE_FRAME: return define_frame(l, &w);
    case TOLL_DEFINE_THREAD: return define_thread(l, &w);
    case TOLL_DEFINE_RENAME: return define_rename(l, &w);
    case TOLL_DEFINE_NOTE: return define_note(l, &w);
    case TOLL_DEFINE_START:
        if (!read_number(l, &w, INT64_MAX, &start))
            return false;
        l->t->start_ns = (int64_t)start;
        return true;
    case TOLL_DEFINE_LABELS: return define_labels(l, &w);
    case TOLL_DEFINE_END:
        l->t->has_end = true;
        return read_number(l, &w, UINT64_MAX, &l->event_count);
    default: return true; /* from a later version: ignored */
    }
}

/* Apply all definitions of a block, whose bytes in the file are in l->bytes. */
static bool define_all(loader *l, bool is_cut)
{
    toll_wire w = { l->bytes.data, l->bytes.data + l->bytes.size };
    while (w.p < w.end && *w.p) {
        uint64_t size;
        uint8_t kind = *w.p++;
        if (!toll_wire_take_varint(&w, &size) || size > (uint64_t)(w.end - w.p))
            return is_cut || damaged(l, "a definition is longer than its block");
        if (!define(l, kind, (toll_wire){ w.p, w.p + size }))
            return false;
        w.p += size;
    }
    return true;
}

/* --- blocks ------------------------------------------------------------------------------------*/

/* Read up to `size` bytes of the file to `to`. Returns how many there were. */
static size_t read_bytes(loader *l, uint8_t *to, size_t size)
{
    size_t done = 0, got;
    while (done < size) {
        size_t want = size - done < CHUNK ? size - done : CHUNK;
        const uint8_t *p = toll_input_peek(l->in, want, &got);
        got = got < want ? got : want;
        if (got == 0)
            break;
        memcpy(to + done, p, got);
        toll_input_skip(l->in, got);
        done += got;
    }
    return done;
}

static bool read_definitions(loader *l, uint32_t size)
{
    size_t left = size - TOLL_BLOCK_HEADER;
    toll_buffer_clear(&l->bytes);
    while (left) {
        size_t want = left < CHUNK ? left : CHUNK;
        uint8_t *room = toll_buffer_room(&l->bytes, want);
        if (!room)
            return toll_no_memory(&l->failure);
        size_t got = read_bytes(l, room, want);
        l->bytes.size += got;
        left -= got;
        if (got < want)
            break;
    }
    l->ended = left != 0;
    return define_all(l, l->ended);
}

static bool read_events(loader *l, const head *h, const uint8_t *header)
{
    toll_timeline *t = l->t;
    toll_store_block block = { 0 };
    if (h->thread >= t->thread_count)
        return damaged(l, "a block is of a thread that is not defined");
    toll_timeline_thread *thread = t->threads[h->thread];
    if (!toll_array_grow(&t->mem, &thread->blocks, &thread->block_capacity, thread->block_count, 1))
        return toll_no_memory(&l->failure);
    toll_status status = toll_store_add(&t->store, h->size, &block);
    if (!status) {
        memcpy(block.data, header, TOLL_BLOCK_HEADER);
        size_t left = h->size - TOLL_BLOCK_HEADER;
        left -= read_bytes(l, block.data + TOLL_BLOCK_HEADER, left);
        l->ended = left != 0;
        thread->blocks[thread->block_count++] =
            (toll_timeline_block){ block.offset, h->size, (uint32_t)left };
        status = toll_store_give_back(&t->store, &block);
    }
    if (status)
        toll_timeline_store_failed(t, status);
    return toll_ok(&l->failure, toll_timeline_status(t, l->failure.err));
}

/* Read one block, if there is one. */
static bool read_block(loader *l)
{
    uint8_t header[TOLL_BLOCK_HEADER];
    size_t got;
    const uint8_t *p = toll_input_peek(l->in, sizeof header, &got);
    if (got < sizeof header || *p == 0) { /* the end, or space that was reserved for more blocks */
        l->ended = true;
        return true;
    }
    memcpy(header, p, sizeof header);
    head h = { .kind = *p, .size = get_u32(p + 4), .thread = get_u32(p + 8) };
    bool is_events = h.kind == TOLL_BLOCK_EVENTS;
    if (!is_events && h.kind != TOLL_BLOCK_DEFINITIONS)
        return damaged(l, "a block is of a kind that is not known");
    if (h.size <= sizeof header || h.size > (is_events ? TOLL_BLOCK_MOST : DEFINITIONS_MOST))
        return damaged(l, "a block has a size that none has");
    toll_input_skip(l->in, sizeof header);
    return is_events ? read_events(l, &h, header) : read_definitions(l, h.size);
}

bool toll_timeline_is_file(const uint8_t *data, size_t size)
{
    return size >= 8 && memcmp(data, TOLL_TIMELINE_MAGIC, 8) == 0;
}

static bool read_header(loader *l)
{
    size_t got;
    const uint8_t *p = toll_input_peek(l->in, TOLL_TIMELINE_HEADER, &got);
    if (got < TOLL_TIMELINE_HEADER)
        return fail(l, TOLL_E_TRUNCATED, "the file ends within its header", "record it again");
    if (!toll_timeline_is_file(p, got))
        return damaged(l, "this is no timeline of Toll's");
    if (get_u32(p + 8) != TOLL_TIMELINE_VERSION)
        return fail(l, TOLL_E_UNSUPPORTED, "the timeline is of a later version",
                    "read it with a later version of Toll");
    toll_input_skip(l->in, TOLL_TIMELINE_HEADER);
    return true;
}

/* --- the whole ---------------------------------------------------------------------------------*/

static bool check(loader *l, toll_timeline_facts *facts)
{
    toll_timeline *t = l->t;
    toll_error why;
    if (t->names->column_count == 0)
        return fail(l, TOLL_E_TRUNCATED, "the file ends before anything is defined",
                    "record it again");
    for (uint32_t i = 0; i < t->thread_count; i++)
        if (toll_timeline_check_thread(t, i, &facts->left_open, &why))
            return toll_ok(&l->failure, toll_fail(l->failure.err, why.status, "%s: %s",
                                                  toll_input_name(l->in), why.text));
    facts->has_end = t->has_end;
    return !t->has_end || toll_timeline_event_count(t) == l->event_count ||
           damaged(l, "there are more or fewer events than its end says");
}

static bool load(loader *l, toll_timeline_facts *facts)
{
    bool good = read_header(l);
    while (good && !l->ended)
        good = read_block(l);
    if (good) /* read to the end of compressed input too: its checksum is there */
        good = toll_ok(&l->failure, toll_input_check(l->in, l->failure.err));
    return good && check(l, facts);
}

toll_status toll_timeline_load(toll_input *in, toll_timeline **out, toll_timeline_facts *facts,
                               toll_error *err)
{
    const toll_mem *mem = toll_input_mem(in);
    loader l = { .failure.err = err, .in = in };
    int fd = -1;
    *out = NULL;
    *facts = (toll_timeline_facts){ 0 };
    toll_status status = toll_timeline_make(mem, &l.t, err);
    if (status)
        return status;
    if (toll_timeline_scratch(l.t, &fd, NULL))
        fd = -1; /* in memory */
    toll_store_open(&l.t->store, mem, fd);
    l.t->is_finished = l.t->is_read = true;
    toll_buffer_init(&l.bytes, mem);
    toll_buffer_init(&l.texts, mem);
    if (load(&l, facts))
        *out = l.t;
    else
        toll_timeline_free(l.t);
    toll_buffer_free(&l.bytes);
    toll_buffer_free(&l.texts);
    return l.failure.status;
}
