/* labels.c - gives each function of a profile a name that no other function has. See order.h.
 *
 * It is the name itself. If several functions share it: "name (file:line)" with the last part of
 * the file's path, or with the whole path if that label is in use. If that is not unique either, a
 * number follows, as in "name #2". Labels are made in canonical order. */
#include "base/buffer.h"
#include "base/fail.h"
#include "base/strtab.h"
#include "base/text.h"
#include "profile/order.h"
#include "profile/profile_data.h"

#include <string.h>

/* Are the frames at that rank and the rank before it of the same function? */
static bool goes_on(const toll_order *o, uint32_t rank)
{
    return rank < o->frame_count && o->function[o->frames[rank]] < rank;
}

/* Does another function have the same name as the one whose first frame is at that rank? */
static bool shares_name(const toll_order *o, uint32_t rank)
{
    uint32_t next = rank + 1;
    while (goes_on(o, next))
        next++;
    const toll_profile *p = o->profile;
    uint32_t name = p->frames[o->frames[rank]].key.name;
    return (rank > 0 && p->frames[o->frames[rank - 1]].key.name == name) ||
           (next < o->frame_count && p->frames[o->frames[next]].key.name == name);
}

static void put_number(toll_buffer *b, const char *before, uint64_t n)
{
    char digits[20];
    toll_buffer_append_text(b, before);
    toll_buffer_append(b, digits, toll_text_put_u64(digits, n));
}

static void put_name_and_place(toll_buffer *b, toll_frame f, const char *file)
{
    toll_buffer_clear(b);
    toll_buffer_append_text(b, f.name);
    toll_buffer_append_text(b, " (");
    toll_buffer_append_text(b, file);
    if (f.line)
        put_number(b, ":", f.line);
    toll_buffer_append_text(b, ")");
}

static void put_label(toll_buffer *b, const toll_order *o, uint32_t rank, const toll_strtab *seen)
{
    toll_frame f = toll_profile_frame(o->profile, o->frames[rank]);
    const char *slash = strrchr(f.file, '/');
    if (!shares_name(o, rank) || (!*f.file && !f.line)) {
        toll_buffer_clear(b);
        toll_buffer_append_text(b, f.name);
        return;
    }
    put_name_and_place(b, f, slash ? slash + 1 : f.file);
    if (slash && !b->failed && toll_strtab_find(seen, (const char *)b->data, b->size) != UINT32_MAX)
        put_name_and_place(b, f, f.file);
}

/* Make the label in the buffer different from all in `seen`, and add it there. Numbers are tried
 * from the last one used for this name on (`next`, by id in seen), so a thousand equal frames take
 * a thousand steps. */
static bool make_unique(toll_buffer *b, toll_strtab *seen, uint32_t *next)
{
    uint32_t plain = toll_strtab_find(seen, (const char *)b->data, b->size);
    size_t size = b->size;
    if (plain == UINT32_MAX)
        return toll_strtab_add(seen, (const char *)b->data, b->size) != UINT32_MAX;
    for (uint32_t n = next[plain] ? next[plain] : 2;; n++) {
        b->size = size;
        put_number(b, " #", n);
        if (b->failed)
            return false;
        if (toll_strtab_find(seen, (const char *)b->data, b->size) == UINT32_MAX) {
            next[plain] = n + 1;
            return toll_strtab_add(seen, (const char *)b->data, b->size) != UINT32_MAX;
        }
    }
}

/* Give the frame at that rank its label. It is the one in the buffer if the frame before it is of
 * the same function. */
static bool label_frame(toll_labels *l, const toll_order *o, uint32_t rank, toll_buffer *b,
                        toll_strtab *seen, uint32_t *next)
{
    uint32_t frame = o->frames[rank];
    if (!goes_on(o, rank)) {
        put_label(b, o, rank, seen);
        if (b->failed || !make_unique(b, seen, next))
            return false;
    }
    if (!toll_buffer_cstr(b))
        return false;
    uint32_t size = (uint32_t)b->size + 1;
    l->text[frame] = toll_mem_new(&l->mem, size, 1);
    if (!l->text[frame])
        return false;
    l->size[frame] = size;
    memcpy(l->text[frame], b->data, b->size);
    l->changed += strcmp(l->text[frame], toll_profile_frame(o->profile, frame).name) != 0;
    return true;
}

toll_status toll_labels_create(toll_labels *l, const toll_order *o, toll_error *err)
{
    toll_buffer b;
    toll_strtab seen;
    *l = (toll_labels){ .mem = o->mem, .count = o->frame_count };
    toll_buffer_init(&b, &o->mem);
    toll_strtab_init(&seen, &o->mem);
    size_t room = (size_t)o->frame_count + 1;
    uint32_t *next = toll_mem_new(&l->mem, room + 1, sizeof *next);
    l->text = toll_mem_new(&l->mem, room, sizeof *l->text);
    l->size = toll_mem_new(&l->mem, room, sizeof *l->size);
    bool ok = l->text && l->size && next;
    for (uint32_t rank = 0; ok && rank < o->frame_count; rank++)
        ok = label_frame(l, o, rank, &b, &seen, next);
    toll_mem_free(&l->mem, next, room + 1, sizeof *next);
    toll_strtab_free(&seen);
    toll_buffer_free(&b);
    if (ok)
        return TOLL_OK;
    toll_labels_free(l);
    return toll_fail_nomem(err);
}

void toll_labels_free(toll_labels *l)
{
    size_t room = (size_t)l->count + 1;
    for (uint32_t i = 0; l->text && l->size && i < l->count; i++)
        toll_mem_free(&l->mem, l->text[i], l->size[i], 1);
    toll_mem_free(&l->mem, l->text, room, sizeof *l->text);
    toll_mem_free(&l->mem, l->size, room, sizeof *l->size);
    *l = (toll_labels){ .mem = l->mem };
}
