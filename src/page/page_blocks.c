/* page_blocks.c - see page_blocks.h. */
#include "page/page_blocks.h"

#include "base/fail.h"
#include "base/json_write.h"
#include "base/strtab.h"
#include "profile/short_names.h"

#include <stdio.h>
#include <string.h>

/* --- strings -----------------------------------------------------------------------------------*/

static bool add_text(toll_page_tables *t, toll_strtab *table, const char *text, uint32_t *id)
{
    *id = toll_strtab_add(table, text, strlen(text));
    if (*id != t->string_count)
        return *id != UINT32_MAX;
    toll_json_put_text(t->strings, t->string_count++ ? ",\n" : "[");
    toll_json_put_string(t->strings, text);
    return true;
}

/* A name that is short already has no short form. */
static const char *short_form(const toll_short_names *names, const char *name)
{
    const char *text = toll_short_name_of(names, name);
    return strcmp(text, name) == 0 ? "" : text;
}

static bool add_texts(toll_page_tables *t, toll_strtab *table, const toll_short_names *names)
{
    const toll_order *o = &t->tree->order;
    uint32_t none;
    if (!add_text(t, table, "", &none))
        return false;
    for (uint32_t i = 0; i < o->frame_count; i++) {
        toll_frame f = toll_profile_frame(t->tree->tree, o->frames[i]);
        if (!add_text(t, table, f.name, &t->texts[0][i]) ||
            !add_text(t, table, f.file, &t->texts[1][i]) ||
            !add_text(t, table, f.module, &t->texts[2][i]) ||
            !add_text(t, table, f.at_file, &t->texts[3][i]) ||
            !add_text(t, table, short_form(names, f.name), &t->texts[4][i]))
            return false;
    }
    toll_json_put_text(t->strings, "]");
    return true;
}

static toll_status put_strings(toll_page_tables *t, toll_error *err)
{
    toll_strtab table;
    toll_short_names names;
    const toll_stack_tree *tree = t->tree;
    toll_status status = toll_short_names_create(&names, true, tree->sides[TOLL_SIDE_AFTER],
                                                 tree->sides[TOLL_SIDE_BEFORE], err);
    if (status)
        return status;
    toll_strtab_init(&table, &tree->mem);
    bool ok = add_texts(t, &table, &names);
    toll_strtab_free(&table);
    toll_short_names_free(&names);
    return ok ? toll_output_commit(t->strings, err) : toll_fail_nomem(err);
}

toll_status toll_page_tables_create(toll_page_tables *t, const toll_stack_tree *tree,
                                    const toll_page_timeline *timeline,
                                    const toll_page_options *options, toll_error *err)
{
    size_t frames = (size_t)tree->order.frame_count + 1;
    *t = (toll_page_tables){ .tree = tree, .timeline = timeline };
    toll_status status = toll_output_to_memory(&tree->mem, 0, &t->strings, err);
    if (status)
        return status;
    for (int i = 0; i < TOLL_FRAME_TEXTS; i++) {
        t->texts[i] = toll_mem_new(&tree->mem, frames, sizeof *t->texts[i]);
        if (!t->texts[i])
            return toll_fail_nomem(err);
    }
    t->values = toll_mem_new(&tree->mem, (size_t)tree->node_count + 1, sizeof *t->values);
    if (!t->values)
        return toll_fail_nomem(err);
    status = put_strings(t, err);
    if (!status)
        status = toll_page_callees_create(&t->callees, tree, err);
    return status ? status : toll_page_source_create(&t->source, tree, options, err);
}

void toll_page_tables_free(toll_page_tables *t)
{
    const toll_mem *mem = &t->tree->mem;
    size_t frames = (size_t)t->tree->order.frame_count + 1;
    for (int i = 0; i < TOLL_FRAME_TEXTS; i++)
        toll_mem_free(mem, t->texts[i], frames, sizeof *t->texts[i]);
    toll_mem_free(mem, t->values, (size_t)t->tree->node_count + 1, sizeof *t->values);
    toll_page_callees_free(&t->callees);
    toll_output_free(t->strings);
    toll_page_source_free(&t->source);
}

/* --- content of a block ------------------------------------------------------------------------*/

static void put_json(const toll_output *json, toll_page_block *b)
{
    size_t size;
    const void *data = toll_output_data(json, &size);
    toll_page_block_put(b, data, size);
}

/* A frame's fields that are numbers, not strings. */
static uint32_t number_of(const toll_page_tables *t, int what, uint32_t place)
{
    toll_frame_id id = t->tree->order.frames[place];
    toll_frame f = toll_profile_frame(t->tree->tree, id);
    return what == 0   ? f.line
           : what == 1 ? f.kind
           : what == 2 ? f.at_line
                       : t->tree->order.function[id];
}

static void put_column(const toll_page_tables *t, toll_page_block *b, const uint32_t *texts,
                       int what)
{
    for (uint32_t i = 0; i < t->tree->order.frame_count; i++)
        toll_page_put_number(b, texts ? texts[i] : number_of(t, what, i));
}

static void put_frames(const toll_page_tables *t, toll_page_block *b)
{
    put_column(t, b, t->texts[0], 0);
    put_column(t, b, t->texts[1], 0);
    put_column(t, b, NULL, 0);
    put_column(t, b, NULL, 1);
    put_column(t, b, t->texts[2], 0);
    put_column(t, b, NULL, 2);
    put_column(t, b, NULL, 3);
    put_column(t, b, t->texts[3], 0);
    put_column(t, b, t->texts[4], 0);
}

static void put_numbers(const uint32_t *numbers, uint32_t count, toll_page_block *b)
{
    for (uint32_t i = 0; i < count; i++)
        toll_page_put_number(b, numbers[i]);
}

static void put_callees(const toll_page_callees *c, toll_page_block *b)
{
    put_numbers(c->counts, c->caller_count, b);
    put_numbers(c->keys, c->count, b);
}

static void put_values(toll_page_tables *t, toll_page_block *b, uint32_t side, uint32_t column)
{
    toll_stack_values(t->tree, side, column, t->values);
    for (uint32_t i = 0; i < t->tree->node_count; i++)
        toll_page_put_signed(b, t->values[t->tree->nodes[i]]);
}

/* --- blocks ------------------------------------------------------------------------------------*/

size_t toll_page_most_blocks(const toll_page_tables *t)
{
    return TOLL_BLOCK_VALUE + (size_t)t->tree->side_count * TOLL_MAX_COLUMNS +
           (size_t)t->timeline->span_count * TOLL_PAGE_COLUMNS;
}

static toll_page_block_kind kind_of_side(uint32_t side)
{
    return side == TOLL_SIDE_AFTER    ? TOLL_BLOCK_VALUE
           : side == TOLL_SIDE_BEFORE ? TOLL_BLOCK_BEFORE
                                      : TOLL_BLOCK_BETWEEN;
}

uint32_t toll_page_list_blocks(const toll_page_tables *t, toll_block_info *blocks)
{
    uint32_t count = 0, columns = toll_profile_column_count(t->tree->tree);
    blocks[count++] = (toll_block_info){ .kind = TOLL_BLOCK_STRINGS };
    blocks[count++] = (toll_block_info){ .kind = TOLL_BLOCK_FRAMES };
    blocks[count++] = (toll_block_info){ .kind = TOLL_BLOCK_CALLEES };
    blocks[count++] = (toll_block_info){ .kind = TOLL_BLOCK_UP };
    blocks[count++] = (toll_block_info){ .kind = TOLL_BLOCK_CALLEE };
    for (uint32_t side = 0; side < t->tree->side_count; side++)
        for (uint32_t c = 0; c < columns; c++)
            blocks[count++] =
                (toll_block_info){ .kind = kind_of_side(side), .column = c, .side = side };
    if (t->source.json)
        blocks[count++] = (toll_block_info){ .kind = TOLL_BLOCK_SOURCE };
    for (uint32_t s = 0; s < t->timeline->span_count; s++)
        for (int c = 0; c < toll_page_timeline_columns(t->timeline); c++)
            blocks[count++] =
                (toll_block_info){ .kind = (toll_page_block_kind)(TOLL_BLOCK_TIMELINE + c),
                                   .column = s };
    return count;
}

const char *toll_page_block_name(const toll_block_info *info, char name[TOLL_BLOCK_NAME_SIZE])
{
    static const char *const names[] = {
        "strings", "frames",          "callees",        "up",
        "callee",  "source",          "value",          "before",
        "between", "timeline-events", "timeline-steps", "timeline-second"
    };
    if (info->kind < TOLL_BLOCK_VALUE)
        return strcpy(name, names[info->kind]);
    if (info->kind == TOLL_BLOCK_BETWEEN) {
        snprintf(name, TOLL_BLOCK_NAME_SIZE, "between-%u-%u",
                 (unsigned)(info->side - TOLL_SIDE_COUNT), (unsigned)info->column);
        return name;
    }
    snprintf(name, TOLL_BLOCK_NAME_SIZE, "%s-%u", names[info->kind], (unsigned)info->column);
    return name;
}

static uint64_t items_of(const toll_page_tables *t, const toll_block_info *info)
{
    return info->kind == TOLL_BLOCK_STRINGS    ? t->string_count
           : info->kind == TOLL_BLOCK_FRAMES   ? t->tree->order.frame_count
           : info->kind == TOLL_BLOCK_CALLEES  ? t->callees.count
           : info->kind == TOLL_BLOCK_SOURCE   ? t->source.files.embedded
           : info->kind >= TOLL_BLOCK_TIMELINE ? t->timeline->spans[info->column].events
                                               : t->tree->node_count;
}

static void put_table(toll_page_tables *t, const toll_block_info *info, toll_page_block *b)
{
    if (info->kind == TOLL_BLOCK_STRINGS)
        put_json(t->strings, b);
    else if (info->kind == TOLL_BLOCK_SOURCE)
        put_json(t->source.json, b);
    else if (info->kind == TOLL_BLOCK_FRAMES)
        put_frames(t, b);
    else if (info->kind == TOLL_BLOCK_CALLEES)
        put_callees(&t->callees, b);
    else if (info->kind == TOLL_BLOCK_UP)
        put_numbers(t->tree->ups, t->tree->node_count, b);
    else if (info->kind == TOLL_BLOCK_CALLEE)
        put_numbers(t->callees.ranks, t->tree->node_count, b);
    else
        put_values(t, b, info->side, info->column);
}

toll_status toll_page_write_block(toll_page_tables *t, toll_block_info *info, toll_output *out,
                                  toll_error *err)
{
    toll_page_block b;
    int column = (int)info->kind - TOLL_BLOCK_TIMELINE;
    info->items = items_of(t, info);
    if (column >= 0 && !out) { /* already measured */
        info->bytes = t->timeline->spans[info->column].bytes[column];
        return TOLL_OK;
    }
    toll_status status = toll_page_block_begin(&b, &t->tree->mem, out, err);
    if (status)
        return status;
    if (column < 0)
        put_table(t, info, &b);
    else
        status =
            toll_page_timeline_put(t->timeline, &t->timeline->spans[info->column], column, &b, err);
    if (!toll_page_block_end(&b) && !status)
        status = toll_fail_nomem(err);
    info->bytes = b.size;
    return status;
}
