/* profile.c - the profile itself: columns, frames, threads, nodes, notes. See profile.h.
 * What makes profiles out of profiles is in graft.c, fold.c and filter.c. */
#include "profile/profile_data.h"

#include "base/fail.h"
#include "base/text.h"
#include "profile/order.h"

#include <string.h>

enum { FIRST_INDEX_SLOTS = 32, MAX_NOTES = 4096 };

toll_status toll_profile_create(const toll_allocator *allocator, toll_profile **out,
                                toll_error *err)
{
    toll_mem mem = toll_mem_from(allocator);
    toll_profile *p = toll_mem_new(&mem, 1, sizeof *p);
    *out = p;
    if (!p)
        return toll_fail_nomem(err);
    p->mem = mem;
    p->default_column = TOLL_NONE;
    toll_strtab_init(&p->strings, &mem);
    toll_tree_init(&p->tree, &mem, 0);
    return TOLL_OK;
}

void toll_profile_free(toll_profile *p)
{
    if (!p)
        return;
    toll_mem mem = p->mem;
    toll_tree_free(&p->tree);
    toll_strtab_free(&p->strings);
    toll_mem_free(&mem, p->frames, p->frame_capacity, sizeof *p->frames);
    toll_mem_free(&mem, p->frame_index.slots, p->frame_index.slot_count, sizeof(uint32_t));
    toll_mem_free(&mem, p->threads, p->thread_capacity, sizeof *p->threads);
    toll_mem_free(&mem, p->thread_index.slots, p->thread_index.slot_count, sizeof(uint32_t));
    toll_mem_free(&mem, p->notes, p->note_capacity, sizeof *p->notes);
    toll_mem_free(&mem, p->comments, p->comment_capacity, sizeof *p->comments);
    toll_mem_free(&mem, p, 1, sizeof *p);
}

const toll_mem *toll_profile_mem(const toll_profile *p)
{
    return &p->mem;
}

uint32_t toll_profile_string(toll_profile *p, const char *text)
{
    size_t size = strlen(text);
    if (toll_text_check(text, size) == size)
        return toll_strtab_add(&p->strings, text, size);
    toll_buffer clean;
    toll_buffer_init(&clean, &p->mem);
    uint32_t id = TOLL_NONE;
    if (toll_text_append_clean(&clean, text, size))
        id = toll_strtab_add(&p->strings, (const char *)clean.data, clean.size);
    toll_buffer_free(&clean);
    return id;
}

/* --- columns -----------------------------------------------------------------------------------*/

toll_status toll_profile_add_column(toll_profile *p, const char *type, const char *unit,
                                    uint32_t *out, toll_error *err)
{
    if (p->thread_count)
        return toll_fail(err, TOLL_E_ARGUMENT, "a profile with threads takes no more columns");
    uint32_t type_id = toll_profile_string(p, type), unit_id = toll_profile_string(p, unit);
    if (type_id == TOLL_NONE || unit_id == TOLL_NONE)
        return toll_fail_nomem(err);
    for (uint32_t i = 0; i < p->column_count; i++)
        if (p->columns[i].type == type_id && p->columns[i].unit == unit_id)
            return toll_fail(err, TOLL_E_ARGUMENT, "two value types are both '%.100s' in '%.100s'",
                             type, unit);
    if (p->column_count == TOLL_MAX_COLUMNS)
        return toll_fail(err, TOLL_E_LIMIT, "more than %d value types", TOLL_MAX_COLUMNS);
    p->columns[p->column_count] = (toll_column_data){ type_id, unit_id };
    if (out)
        *out = p->column_count;
    p->column_count++;
    toll_tree_init(&p->tree, &p->mem, p->column_count); /* still empty */
    return TOLL_OK;
}

uint32_t toll_profile_column_count(const toll_profile *p)
{
    return p->column_count;
}

toll_value_type toll_profile_column(const toll_profile *p, uint32_t column)
{
    return (toll_value_type){ toll_profile_text(p, p->columns[column].type),
                              toll_profile_text(p, p->columns[column].unit) };
}

uint32_t toll_profile_find_column(const toll_profile *p, const char *type)
{
    for (uint32_t i = 0; i < p->column_count; i++)
        if (strcmp(toll_profile_text(p, p->columns[i].type), type) == 0)
            return i;
    return TOLL_NONE;
}

uint32_t toll_profile_default_column(const toll_profile *p)
{
    if (p->default_column < p->column_count)
        return p->default_column;
    for (uint32_t i = 0; i < p->column_count; i++)
        if (strcmp(toll_profile_text(p, p->columns[i].type), "calls") != 0)
            return i;
    return p->column_count ? 0 : TOLL_NONE;
}

void toll_profile_set_default_column(toll_profile *p, uint32_t column)
{
    p->default_column = column;
}

/* --- small indexes -----------------------------------------------------------------------------*/

static uint32_t frame_hash(const toll_frame_data *f)
{
    return (uint32_t)toll_hash_u64(toll_hash_u64((uint64_t)f->name << 32 | f->file) ^
                                   ((uint64_t)f->line << 8 | f->kind));
}

static uint32_t thread_hash(uint32_t name)
{
    return (uint32_t)toll_hash_u64(name);
}

static void index_insert(toll_id_index *index, uint32_t hash, uint32_t id)
{
    size_t mask = index->slot_count - 1, i = hash & mask;
    while (index->slots[i])
        i = (i + 1) & mask;
    index->slots[i] = id + 1;
}

static uint32_t find_frame(const toll_profile *p, const toll_frame_data *f)
{
    size_t mask = p->frame_index.slot_count - 1;
    if (p->frame_index.slot_count == 0)
        return TOLL_NONE;
    for (size_t i = frame_hash(f) & mask; p->frame_index.slots[i]; i = (i + 1) & mask) {
        uint32_t id = p->frame_index.slots[i] - 1;
        if (memcmp(&p->frames[id], f, sizeof *f) == 0)
            return id;
    }
    return TOLL_NONE;
}

static uint32_t find_thread(const toll_profile *p, uint32_t name)
{
    size_t mask = p->thread_index.slot_count - 1;
    if (p->thread_index.slot_count == 0)
        return TOLL_NONE;
    for (size_t i = thread_hash(name) & mask; p->thread_index.slots[i]; i = (i + 1) & mask) {
        uint32_t id = p->thread_index.slots[i] - 1;
        if (p->threads[id].name == name)
            return id;
    }
    return TOLL_NONE;
}

static void fill_frame_index(toll_profile *p)
{
    for (size_t id = 0; id < p->frame_count; id++)
        index_insert(&p->frame_index, frame_hash(&p->frames[id]), (uint32_t)id);
}

static void fill_thread_index(toll_profile *p)
{
    for (size_t id = 0; id < p->thread_count; id++)
        index_insert(&p->thread_index, thread_hash(p->threads[id].name), (uint32_t)id);
}

/* Room in an index for one more than `count` ids; refilled by `fill` if it grows. */
static bool index_reserve(toll_profile *p, toll_id_index *index, size_t count,
                          void (*fill)(toll_profile *))
{
    if ((count + 1) * 4 <= index->slot_count * 3)
        return true;
    size_t slot_count = index->slot_count ? index->slot_count * 2 : FIRST_INDEX_SLOTS;
    uint32_t *slots = toll_mem_new(&p->mem, slot_count, sizeof *slots);
    if (!slots)
        return false;
    toll_mem_free(&p->mem, index->slots, index->slot_count, sizeof *slots);
    *index = (toll_id_index){ slots, slot_count };
    fill(p);
    return true;
}

/* --- frames, threads, nodes --------------------------------------------------------------------*/

toll_status toll_profile_add_frame(toll_profile *p, const toll_frame *frame, toll_frame_id *out,
                                   toll_error *err)
{
    if (!frame->name)
        return toll_fail(err, TOLL_E_ARGUMENT, "a frame needs a name");
    toll_frame_data f = {
        .name = toll_profile_string(p, frame->name),
        .file = toll_profile_string(p, frame->file ? frame->file : ""),
        .line = frame->line,
        .kind = (uint32_t)frame->kind,
    };
    void *frames = p->frames;
    if (f.name == TOLL_NONE || f.file == TOLL_NONE)
        return toll_fail_nomem(err);
    if (f.kind >= TOLL_KIND_COUNT)
        return toll_fail(err, TOLL_E_ARGUMENT, "no frame kind %u", f.kind);
    *out = find_frame(p, &f);
    if (*out != TOLL_NONE)
        return TOLL_OK;
    if (p->frame_count >= TOLL_NONE - 2)
        return toll_fail(err, TOLL_E_LIMIT, "more than 4 billion functions");
    if (!index_reserve(p, &p->frame_index, p->frame_count, fill_frame_index) ||
        !toll_mem_reserve(&p->mem, &frames, &p->frame_capacity, p->frame_count + 1, sizeof f))
        return toll_fail_nomem(err);
    p->frames = frames;
    p->frames[p->frame_count] = f;
    *out = (toll_frame_id)p->frame_count++;
    index_insert(&p->frame_index, frame_hash(&f), *out);
    return TOLL_OK;
}

toll_frame_id toll_profile_find_frame(const toll_profile *p, const toll_frame *frame)
{
    const char *file = frame->file ? frame->file : "";
    toll_frame_data f = {
        .name = toll_strtab_find(&p->strings, frame->name, strlen(frame->name)),
        .file = toll_strtab_find(&p->strings, file, strlen(file)),
        .line = frame->line,
        .kind = (uint32_t)frame->kind,
    };
    return f.name == TOLL_NONE || f.file == TOLL_NONE ? TOLL_NONE : find_frame(p, &f);
}

uint32_t toll_profile_frame_count(const toll_profile *p)
{
    return (uint32_t)p->frame_count;
}

toll_frame toll_profile_frame(const toll_profile *p, toll_frame_id id)
{
    const toll_frame_data *f = &p->frames[id];
    return (toll_frame){ toll_profile_text(p, f->name), toll_profile_text(p, f->file), f->line,
                         (toll_frame_kind)f->kind };
}

toll_status toll_profile_add_thread(toll_profile *p, const char *name, toll_thread_id *out,
                                    toll_error *err)
{
    uint32_t name_id = toll_profile_string(p, name);
    void *threads = p->threads;
    if (name_id == TOLL_NONE)
        return toll_fail_nomem(err);
    *out = find_thread(p, name_id);
    if (*out != TOLL_NONE)
        return TOLL_OK;
    if (!index_reserve(p, &p->thread_index, p->thread_count, fill_thread_index) ||
        !toll_mem_reserve(&p->mem, &threads, &p->thread_capacity, p->thread_count + 1,
                          sizeof *p->threads))
        return toll_fail_nomem(err);
    p->threads = threads;
    toll_node *root = toll_tree_add_root(&p->tree);
    if (!root)
        return toll_fail_nomem(err);
    p->threads[p->thread_count] = (toll_thread_data){ name_id, root };
    *out = (toll_thread_id)p->thread_count++;
    index_insert(&p->thread_index, thread_hash(name_id), *out);
    return TOLL_OK;
}

uint32_t toll_profile_thread_count(const toll_profile *p)
{
    return (uint32_t)p->thread_count;
}

const char *toll_profile_thread_name(const toll_profile *p, toll_thread_id id)
{
    return toll_profile_text(p, p->threads[id].name);
}

toll_node_id toll_profile_root(const toll_profile *p, toll_thread_id id)
{
    return p->threads[id].root->id;
}

toll_status toll_profile_add_child(toll_profile *p, toll_node_id parent, toll_frame_id frame,
                                   toll_node_id *out, toll_error *err)
{
    if (parent >= p->tree.count || frame >= p->frame_count)
        return toll_fail(err, TOLL_E_ARGUMENT, "no such node or frame");
    toll_node *node = toll_tree_child(&p->tree, toll_tree_node(&p->tree, parent), frame);
    if (!node)
        return toll_fail_nomem(err);
    *out = node->id;
    return TOLL_OK;
}

uint32_t toll_profile_node_count(const toll_profile *p)
{
    return p->tree.count;
}

toll_node_id toll_profile_parent(const toll_profile *p, toll_node_id node)
{
    const toll_node *parent = toll_tree_node(&p->tree, node)->parent;
    return parent ? parent->id : TOLL_NONE;
}

toll_frame_id toll_profile_node_frame(const toll_profile *p, toll_node_id node)
{
    return toll_tree_node(&p->tree, node)->frame;
}

int64_t toll_profile_self(const toll_profile *p, toll_node_id node, uint32_t column)
{
    return toll_tree_node(&p->tree, node)->values[column];
}

toll_status toll_profile_add_self(toll_profile *p, toll_node_id node, uint32_t column,
                                  int64_t value, toll_error *err)
{
    int64_t *self = &toll_tree_node(&p->tree, node)->values[column];
    if (!toll_i64_add(*self, value, self))
        return toll_fail(err, TOLL_E_OVERFLOW, "the values of one stack do not fit 64 bits");
    return TOLL_OK;
}

void toll_profile_truncate(toll_profile *p, size_t frame_count, size_t thread_count,
                           uint32_t node_count)
{
    p->frame_count = frame_count;
    p->thread_count = thread_count;
    if (p->frame_index.slots)
        memset(p->frame_index.slots, 0, p->frame_index.slot_count * sizeof(uint32_t));
    if (p->thread_index.slots)
        memset(p->thread_index.slots, 0, p->thread_index.slot_count * sizeof(uint32_t));
    fill_frame_index(p);
    fill_thread_index(p);
    toll_tree_truncate(&p->tree, node_count);
}

/* --- notes and comments ------------------------------------------------------------------------*/

toll_status toll_profile_reserve_notes(toll_profile *p, size_t notes, size_t comments,
                                       toll_error *err)
{
    void *n = p->notes, *c = p->comments;
    if (!toll_mem_reserve(&p->mem, &n, &p->note_capacity, p->note_count + notes, sizeof *p->notes))
        return toll_fail_nomem(err);
    p->notes = n;
    if (!toll_mem_reserve(&p->mem, &c, &p->comment_capacity, p->comment_count + comments,
                          sizeof *p->comments))
        return toll_fail_nomem(err);
    p->comments = c;
    return TOLL_OK;
}

/* Where `text` stands among notes (or comments), which are kept sorted; *there: it is one already.
 * `text_at` gives the ith one's string id. */
static size_t sorted_place(const toll_profile *p, size_t count,
                           uint32_t (*text_at)(const toll_profile *, size_t), uint32_t id,
                           bool *there)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(toll_profile_text(p, text_at(p, middle)), toll_profile_text(p, id)) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *there = low < count && text_at(p, low) == id;
    return low;
}

static uint32_t note_text(const toll_profile *p, size_t i)
{
    return p->notes[i].text;
}

static uint32_t comment_text(const toll_profile *p, size_t i)
{
    return p->comments[i];
}

toll_status toll_profile_add_note(toll_profile *p, const char *text, uint64_t count,
                                  toll_error *err)
{
    bool there;
    if (count == 0)
        return TOLL_OK;
    uint32_t id = toll_profile_string(p, text);
    if (id == TOLL_NONE)
        return toll_fail_nomem(err);
    size_t at = sorted_place(p, p->note_count, note_text, id, &there);
    if (there) {
        if (count > UINT64_MAX - p->notes[at].count)
            return toll_fail(err, TOLL_E_OVERFLOW, "the counts of '%.200s' do not fit 64 bits",
                             text);
        p->notes[at].count += count;
        return TOLL_OK;
    }
    if (p->note_count >= MAX_NOTES)
        return toll_fail(err, TOLL_E_LIMIT, "more than %d different notes", MAX_NOTES);
    toll_status status = toll_profile_reserve_notes(p, 1, 0, err);
    if (status)
        return status;
    memmove(p->notes + at + 1, p->notes + at, (p->note_count - at) * sizeof *p->notes);
    p->notes[at] = (toll_note_data){ id, count };
    p->note_count++;
    return TOLL_OK;
}

uint32_t toll_profile_note_count(const toll_profile *p)
{
    return (uint32_t)p->note_count;
}

const char *toll_profile_note(const toll_profile *p, uint32_t i, uint64_t *count)
{
    if (count)
        *count = p->notes[i].count;
    return toll_profile_text(p, p->notes[i].text);
}

toll_status toll_profile_add_comment(toll_profile *p, const char *text, toll_error *err)
{
    bool there;
    uint32_t id = toll_profile_string(p, text);
    if (id == TOLL_NONE)
        return toll_fail_nomem(err);
    size_t at = sorted_place(p, p->comment_count, comment_text, id, &there);
    if (there)
        return TOLL_OK;
    if (p->comment_count >= MAX_NOTES)
        return toll_fail(err, TOLL_E_LIMIT, "more than %d different comments", MAX_NOTES);
    toll_status status = toll_profile_reserve_notes(p, 0, 1, err);
    if (status)
        return status;
    memmove(p->comments + at + 1, p->comments + at, (p->comment_count - at) * sizeof *p->comments);
    p->comments[at] = id;
    p->comment_count++;
    return TOLL_OK;
}

uint32_t toll_profile_comment_count(const toll_profile *p)
{
    return (uint32_t)p->comment_count;
}

const char *toll_profile_comment(const toll_profile *p, uint32_t i)
{
    return toll_profile_text(p, p->comments[i]);
}

void toll_profile_set_time(toll_profile *p, int64_t start_ns, int64_t duration_ns)
{
    p->start_ns = start_ns;
    p->duration_ns = duration_ns;
}

int64_t toll_profile_start_ns(const toll_profile *p)
{
    return p->start_ns;
}

int64_t toll_profile_duration_ns(const toll_profile *p)
{
    return p->duration_ns;
}
