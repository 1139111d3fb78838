/* timeline_define.c - writes the definitions in a timeline's file: frames, threads and so on, each
 * before its first use. See docs/timeline.md.
 *
 * A definition is a byte with its kind, the size of the rest as a varint, and the rest: numbers as
 * varints, texts as their size and bytes. Readers skip kinds that they do not know.
 * */
#include "base/wire.h"
#include "record/timeline_event.h"

#include <string.h>

static void put_text(toll_timeline *t, const char *text)
{
    size_t size = strlen(text);
    toll_wire_put_varint(&t->definition, size);
    toll_buffer_append(&t->definition, text, size);
}

static void put_number(toll_timeline *t, uint64_t number)
{
    toll_wire_put_varint(&t->definition, number);
}

/* Begin a block with room for `size` bytes of definitions. */
static bool next_block(toll_timeline *t, size_t size)
{
    uint32_t before = t->definitions.size;
    size_t wanted = before ? (before < TOLL_BLOCK_MOST ? 2 * before : before) : TOLL_BLOCK_LEAST;
    if (wanted < TOLL_BLOCK_HEADER + size)
        wanted = TOLL_BLOCK_HEADER + size;
    toll_status status = toll_store_give_back(&t->store, &t->definitions);
    if (status)
        toll_timeline_store_failed(t, status);
    else if (wanted > UINT32_MAX)
        toll_timeline_keep_failure(t, TOLL_E_LIMIT, "a name is too long");
    else if (toll_timeline_add_block(t, (uint32_t)wanted, &t->definitions)) {
        toll_timeline_put_header(t->definitions.data, TOLL_BLOCK_DEFINITIONS, (uint32_t)wanted, 0,
                                 NULL);
        toll_timeline_put_through(t, &t->definitions, 0, TOLL_BLOCK_HEADER);
    }
    t->defined = TOLL_BLOCK_HEADER;
    return !t->failure.status;
}

/* Append the content of t->definition as a definition of that kind. Kind and size take at most 11
 * bytes. */
static void define(toll_timeline *t, uint8_t kind)
{
    enum { HEAD_MOST = 11 };
    toll_buffer *d = &t->definition;
    if (d->failed) {
        toll_timeline_keep_failure(t, TOLL_E_NOMEM, "out of memory");
    } else if (!t->failure.status && !t->is_finished) {
        if (t->definitions.size - t->defined >= HEAD_MOST + d->size ||
            next_block(t, HEAD_MOST + d->size)) {
            uint8_t *first = t->definitions.data + t->defined;
            uint8_t *to = toll_put_varint(first + 1, d->size);
            if (d->size)
                memcpy(to, d->data, d->size);
            toll_publish(first, kind);
            size_t size = (size_t)(to - first) + d->size;
            toll_timeline_put_through(t, &t->definitions, t->defined, size);
            t->defined += size;
        }
    }
    toll_buffer_clear(d);
}

void toll_define_axis(toll_timeline *t, toll_value_type axis)
{
    put_text(t, axis.type);
    put_text(t, axis.unit);
    define(t, TOLL_DEFINE_AXIS);
}

void toll_define_frame(toll_timeline *t, toll_frame_id frame)
{
    toll_frame f = toll_profile_frame(t->names, frame);
    put_text(t, f.name);
    put_text(t, f.file);
    put_number(t, f.line);
    put_number(t, f.kind);
    put_text(t, f.system_name);
    put_text(t, f.module);
    put_text(t, f.build_id);
    put_number(t, f.address);
    put_number(t, *f.at_file ? 0 : f.at_line); /* the format has no field for a line in another
                                                * file */
    put_number(t, f.at_address);
    define(t, TOLL_DEFINE_FRAME);
}

void toll_define_thread(toll_timeline *t, toll_thread_id thread)
{
    put_text(t, toll_profile_thread_name(t->names, thread));
    define(t, TOLL_DEFINE_THREAD);
}

void toll_define_rename(toll_timeline *t, toll_frame_id frame)
{
    put_number(t, frame);
    put_text(t, toll_profile_frame(t->names, frame).name);
    define(t, TOLL_DEFINE_RENAME);
}

void toll_define_start(toll_timeline *t)
{
    put_number(t, (uint64_t)t->start_ns);
    define(t, TOLL_DEFINE_START);
}

void toll_define_labels(toll_timeline *t)
{
    toll_buffer lines;
    toll_buffer_init(&lines, &t->mem);
    toll_label_list_put(&t->labels, &lines);
    toll_wire_put_varint(&t->definition, lines.size);
    toll_buffer_append(&t->definition, lines.data, lines.size);
    t->definition.failed = t->definition.failed || lines.failed;
    toll_buffer_free(&lines);
    define(t, TOLL_DEFINE_LABELS);
}

void toll_define_notes(toll_timeline *t)
{
    for (uint32_t i = 0; i < toll_profile_note_count(t->names); i++) {
        const toll_note_data *note = &t->names->notes[i];
        put_number(t, note->count);
        put_text(t, toll_profile_text(t->names, note->text));
        define(t, TOLL_DEFINE_NOTE);
    }
}

void toll_define_end(toll_timeline *t, uint64_t event_count)
{
    put_number(t, event_count);
    define(t, TOLL_DEFINE_END);
}
