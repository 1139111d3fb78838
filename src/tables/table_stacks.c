/* table_stacks.c - the rows of stacks and functions. See tables_data.h. */
#include "tables/tables_data.h"

#include "base/fail.h"

#include <string.h>

static size_t put_text(toll_arrow_column *column, const char *text)
{
    size_t size = strlen(text);
    toll_arrow_put_text(column, text, size);
    return size;
}

size_t toll_tables_put_function(const toll_tables *t, toll_arrow_column *row, toll_frame_id id)
{
    toll_frame f = toll_profile_frame(t->known.all, id);
    toll_arrow_put_i64(row->children[TOLL_FUNCTIONS_ID], t->known.functions.ids[id]);
    toll_arrow_put_u32(row->children[TOLL_FUNCTIONS_LINE], f.line);
    size_t bytes = put_text(row->children[TOLL_FUNCTIONS_NAME], f.name);
    bytes += put_text(row->children[TOLL_FUNCTIONS_FILE], f.file);
    return bytes + put_text(row->children[TOLL_FUNCTIONS_KIND], toll_known_kind(f.kind));
}

/* Write the functions of a stack to the buffer of texts, from the innermost on. False: no memory.
 */
static bool list_frames(toll_known_stacks *known, toll_node_id stack)
{
    toll_buffer_clear(&known->text);
    for (; stack; stack = toll_profile_parent(known->all, stack)) {
        toll_frame_id function = toll_profile_node_frame(known->all, stack);
        toll_buffer_append(&known->text, &function, sizeof function);
    }
    return !known->text.failed;
}

toll_status toll_tables_use_stack(toll_tables *t, toll_node_id stack, toll_error *err)
{
    toll_known_stacks *known = &t->known;
    if (known->is_row.data[stack])
        return TOLL_OK;
    known->is_row.data[stack] = 1;
    toll_arrow_column *row = t->waiting[TOLL_TABLE_STACKS].rows;
    toll_arrow_column *frames = row->children[TOLL_STACKS_FRAMES];
    size_t bytes = 0;
    if (!list_frames(known, stack))
        return toll_fail_nomem(err);
    for (size_t i = known->text.size / sizeof(toll_frame_id); i--;) {
        toll_frame_id function;
        memcpy(&function, known->text.data + i * sizeof function, sizeof function);
        bytes += toll_tables_put_function(t, frames->children[0], function);
        toll_arrow_end(frames->children[0]);
    }
    toll_arrow_put_i64(row->children[TOLL_STACKS_ID], known->stacks.ids[stack]);
    toll_arrow_end(frames);
    return toll_tables_end_row(t, TOLL_TABLE_STACKS, bytes, err);
}
