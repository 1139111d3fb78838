/* page_source.c - see page_source.h. */
#include "page/page_source.h"

#include "base/fail.h"
#include "base/json_write.h"
#include "base/sort.h"
#include "base/strtab.h"
#include "base/text.h"
#include "profile/frame_place.h"

#include <string.h>

enum { MOST_SOURCE = 4 * 1024 * 1024 }; /* bytes of source text in a page */

typedef struct source_file {
    const char *path;
    uint64_t cost; /* sum of absolute self values */
    uint32_t id;   /* breaks ties: files in the order of their first frames */
    bool is_wanted;
} source_file;

typedef struct source_files {
    const toll_stack_tree *tree;
    const toll_page_options *options;
    toll_strtab paths; /* ids are indexes in `files` until these are sorted; 0 is "" */
    uint32_t *of;      /* by frame: the id of its path */
    source_file *files;
    size_t count, room;
    int64_t *values;
} source_files;

static bool list_paths(source_files *s)
{
    const toll_order *o = &s->tree->order;
    uint32_t frames = o->frame_count;
    s->room = (size_t)frames + 1;
    s->of = toll_mem_new(&s->tree->mem, s->room, sizeof *s->of);
    s->files = toll_mem_new(&s->tree->mem, s->room, sizeof *s->files);
    s->values = toll_mem_new(&s->tree->mem, (size_t)s->tree->node_count + 1, sizeof *s->values);
    if (!s->of || !s->files || !s->values || toll_strtab_add(&s->paths, "", 0) == UINT32_MAX)
        return false;
    s->count = 1;
    for (uint32_t i = 0; i < frames; i++) {
        toll_frame f = toll_profile_frame(s->tree->tree, o->frames[i]);
        const char *path = toll_frame_place_file(&f);
        uint32_t id = toll_strtab_add(&s->paths, path, strlen(path));
        if (id == UINT32_MAX)
            return false;
        if (id == s->count)
            s->files[s->count++] = (source_file){ .path = path, .id = id };
        s->files[id].is_wanted |= id > 0 && (s->options->all_source || f.at_line);
        s->of[o->frames[i]] = id;
    }
    return true;
}

/* Add up the cost of each file's functions, in the shown column, on both sides. */
static void add_costs(source_files *s)
{
    const toll_stack_tree *t = s->tree;
    for (uint32_t side = 0; side < TOLL_SIDE_COUNT; side++) {
        if (!t->sides[side] || t->shown.column == TOLL_NONE)
            continue;
        toll_stack_values(t, side, t->shown.column, s->values);
        for (uint32_t n = 0; n < t->node_count; n++) {
            toll_frame_id frame = toll_profile_node_frame(t->tree, n);
            int64_t v = s->values[n];
            uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
            source_file *file = &s->files[frame == TOLL_NONE ? 0 : s->of[frame]];
            file->cost = size > UINT64_MAX - file->cost ? UINT64_MAX : file->cost + size;
        }
    }
}

static int compare_files(const void *a, const void *b)
{
    const source_file *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? 1 : -1;
    return (x->id > y->id) - (x->id < y->id);
}

static toll_status put_file(toll_page_source *s, const char *path, const char *text, size_t size,
                            const toll_mem *mem, toll_error *err)
{
    toll_buffer clean;
    toll_buffer_init(&clean, mem);
    toll_text_append_clean(&clean, text, size);
    const char *good = toll_buffer_cstr(&clean);
    if (good) {
        toll_json_put_text(s->json, s->files.embedded++ ? ",\n" : "{");
        toll_json_put_string(s->json, path);
        toll_json_put_text(s->json, ":");
        toll_json_put_string(s->json, good);
    }
    toll_buffer_free(&clean);
    return good ? TOLL_OK : toll_fail_nomem(err);
}

static void put_origin(toll_page_source *s, const toll_page_options *o, const char *path)
{
    const char *origin = o->source_origin ? o->source_origin(o->source_user, path) : "";
    if (!*origin)
        return;
    toll_json_put_text(s->origins, s->origin_count++ ? "," : "{");
    toll_json_put_string(s->origins, path);
    toll_json_put_text(s->origins, ":");
    toll_json_put_string(s->origins, origin);
}

static void count_absent(toll_page_sources *files, size_t why)
{
    files->outside += why == TOLL_SOURCE_OUTSIDE;
    files->unreadable += why == TOLL_SOURCE_UNREADABLE;
    files->missing += why == TOLL_SOURCE_MISSING;
}

static toll_status put_files(toll_page_source *s, const source_files *from, toll_error *err)
{
    const toll_page_options *o = from->options;
    toll_status status = TOLL_OK;
    size_t left = MOST_SOURCE;
    for (size_t i = 0; !status && i < from->count; i++) {
        const char *text;
        size_t size;
        if (!from->files[i].is_wanted)
            continue;
        status = o->source(o->source_user, from->files[i].path, &text, &size, err);
        if (status)
            break;
        if (!text) {
            count_absent(&s->files, size);
        } else if (size > left) {
            s->files.no_room++;
        } else {
            left -= size;
            put_origin(s, o, from->files[i].path);
            status = put_file(s, from->files[i].path, text, size, &from->tree->mem, err);
        }
    }
    return status;
}

static toll_status finish(toll_page_source *s, toll_error *err)
{
    toll_json_put_text(s->json, "}");
    toll_json_put_text(s->origins, s->origin_count ? "}" : "{}");
    toll_status status = toll_output_commit(s->json, err);
    if (!status)
        status = toll_output_commit(s->origins, err);
    if (!status && s->files.embedded == 0) {
        toll_output_free(s->json);
        s->json = NULL;
    }
    return status;
}

toll_status toll_page_source_create(toll_page_source *s, const toll_stack_tree *tree,
                                    const toll_page_options *options, toll_error *err)
{
    source_files from = { .tree = tree, .options = options };
    *s = (toll_page_source){ 0 };
    if (!options->source)
        return TOLL_OK;
    toll_status status = toll_output_to_memory(&tree->mem, 0, &s->json, err);
    if (!status)
        status = toll_output_to_memory(&tree->mem, 0, &s->origins, err);
    if (status)
        return status;
    toll_strtab_init(&from.paths, &tree->mem);
    if (list_paths(&from)) {
        add_costs(&from);
        toll_sort(from.files, from.count, sizeof *from.files, compare_files);
        status = put_files(s, &from, err);
    } else {
        status = toll_fail_nomem(err);
    }
    toll_mem_free(&tree->mem, from.of, from.room, sizeof *from.of);
    toll_mem_free(&tree->mem, from.files, from.room, sizeof *from.files);
    toll_mem_free(&tree->mem, from.values, (size_t)tree->node_count + 1, sizeof *from.values);
    toll_strtab_free(&from.paths);
    return status ? status : finish(s, err);
}

void toll_page_source_free(toll_page_source *s)
{
    toll_output_free(s->json);
    toll_output_free(s->origins);
    s->json = s->origins = NULL;
}
