/* tables.c - see toll/tables.h. */
#include "tables/tables_data.h"

#include "base/fail.h"
#include "base/sized_options.h"
#include "base/text.h"

#include <string.h>

enum { MOST_ROWS = 1 << 17, MOST_FRAMES = 1 << 18 };

toll_status toll_tables_create(const toll_allocator *allocator, const toll_tables_options *options,
                               toll_tables **out, toll_error *err)
{
    toll_mem mem = toll_mem_from(allocator);
    toll_tables_options own;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    toll_status status = toll_options_copy(&own, sizeof own, options, "toll_tables_options", err);
    if (!status && !own.take_rows)
        status = toll_fail_null(err, "options->take_rows");
    if (status)
        return status;
    toll_tables *t = toll_mem_new(&mem, 1, sizeof *t);
    if (!t)
        return toll_fail_nomem(err);
    own.most_rows = own.most_rows ? own.most_rows : MOST_ROWS;
    own.most_frames = own.most_frames ? own.most_frames : MOST_FRAMES;
    t->mem = mem;
    t->options = own;
    toll_table_labels_init(&t->labels, &mem);
    status = toll_known_init(&t->known, &mem, err);
    for (unsigned i = 0; !status && i < TOLL_TABLE_COUNT; i++) {
        t->waiting[i].rows = toll_arrow_new(toll_table_type((toll_table)i), &mem);
        if (!t->waiting[i].rows)
            status = toll_fail_nomem(err);
    }
    if (status)
        toll_tables_free(t);
    else
        *out = t;
    return status;
}

void toll_tables_free(toll_tables *t)
{
    if (!t)
        return;
    for (unsigned i = 0; i < TOLL_TABLE_COUNT; i++)
        toll_arrow_free(t->waiting[i].rows);
    toll_known_free(&t->known);
    toll_table_labels_free(&t->labels);
    toll_mem mem = t->mem;
    toll_mem_free(&mem, t, 1, sizeof *t);
}

toll_status toll_tables_schema(toll_table table, struct ArrowSchema *out, toll_error *err)
{
    toll_mem mem = toll_mem_from(NULL);
    if (!out)
        return toll_fail_null(err, "out");
    if ((unsigned)table >= TOLL_TABLE_COUNT)
        return toll_fail(err, TOLL_E_ARGUMENT, "no table %u", (unsigned)table);
    return toll_arrow_describe(toll_table_type(table), &mem, out, err);
}

/* --- profiles ----------------------------------------------------------------------------------*/

static size_t put_note(toll_arrow_column *column, const char *text, uint64_t count)
{
    toll_arrow_column *pair = column->children[0];
    toll_arrow_put_text(pair->children[0], text, strlen(text));
    toll_arrow_put_u64(pair->children[1], count);
    toll_arrow_end(pair);
    return strlen(text);
}

/* Add the row of a profile; p is NULL if only a note is known. */
static toll_status add_row(toll_tables *t, const char *name, const toll_profile *p,
                           const char *note, toll_error *err)
{
    toll_arrow_column **to = t->waiting[TOLL_TABLE_PROFILES].rows->children;
    size_t bytes = strlen(name);
    toll_arrow_put_text(to[TOLL_PROFILES_NAME], name, bytes);
    bytes += toll_tables_put_labels(t, to[TOLL_PROFILES_LABELS], t->labels.common);
    toll_arrow_put_i64(to[TOLL_PROFILES_START], p ? toll_profile_start_ns(p) : 0);
    toll_arrow_put_i64(to[TOLL_PROFILES_DURATION], p ? toll_profile_duration_ns(p) : 0);
    for (uint32_t i = 0; p && i < toll_profile_note_count(p); i++) {
        uint64_t count;
        const char *text = toll_profile_note(p, i, &count);
        bytes += put_note(to[TOLL_PROFILES_NOTES], text, count);
    }
    if (note)
        bytes += put_note(to[TOLL_PROFILES_NOTES], note, 1);
    toll_arrow_end(to[TOLL_PROFILES_NOTES]);
    return toll_tables_end_row(t, TOLL_TABLE_PROFILES, bytes, err);
}

/* May something be added, under that name? */
static toll_status check_name(const toll_tables *t, const char *name, toll_error *err)
{
    if (!name)
        return toll_fail_null(err, "name");
    if (toll_text_check(name, strlen(name)) != strlen(name))
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "%.300s: the path is not UTF-8, as tables need it; rename the file", name);
    if (t->is_over)
        return toll_fail(err, TOLL_E_STATE, "the tables are finished, or have failed");
    return TOLL_OK;
}

/* Add a profile without lines. Rows that were begun stay if it fails. */
static toll_status add_plain(toll_tables *t, const char *name, const toll_thread_label *labels,
                             uint32_t count, const toll_profile *p, toll_error *err)
{
    toll_status status = toll_table_labels_find(&t->labels, p, labels, count, err);
    if (status)
        return status;
    status = add_row(t, name, p, NULL, err);
    if (!status)
        status = toll_tables_add_samples(t, name, p, err);
    t->is_over = status != TOLL_OK;
    return status;
}

toll_status toll_tables_add(toll_tables *t, const char *name, const toll_thread_label *labels,
                            uint32_t count, const toll_profile *p, toll_error *err)
{
    toll_profile *folded = NULL;
    toll_status status = check_name(t, name, err);
    if (!status && toll_profile_has_places(p))
        status = toll_profile_fold_places(p, &folded, err);
    if (!status)
        status = add_plain(t, name, labels, count, folded ? folded : p, err);
    toll_profile_free(folded);
    return status;
}

toll_status toll_tables_add_unread(toll_tables *t, const char *name,
                                   const toll_thread_label *labels, uint32_t count,
                                   const char *note, toll_error *err)
{
    toll_status status = check_name(t, name, err);
    if (!status && !note)
        status = toll_fail_null(err, "note");
    if (!status && toll_text_check(note, strlen(note)) != strlen(note))
        status = toll_fail(err, TOLL_E_ARGUMENT, "%.300s: the note is not UTF-8", note);
    if (!status)
        status = toll_table_labels_find(&t->labels, NULL, labels, count, err);
    if (status)
        return status;
    status = add_row(t, name, NULL, note, err);
    t->is_over = status != TOLL_OK;
    return status;
}

toll_status toll_tables_finish(toll_tables *t, toll_error *err)
{
    toll_status status = check_name(t, "", err);
    toll_arrow_column *row = t->waiting[TOLL_TABLE_FUNCTIONS].rows;
    t->is_over = true;
    for (toll_frame_id i = 0; !status && i < t->known.functions.count; i++)
        status =
            toll_tables_end_row(t, TOLL_TABLE_FUNCTIONS, toll_tables_put_function(t, row, i), err);
    for (unsigned i = 0; !status && i < TOLL_TABLE_COUNT; i++)
        if (t->waiting[i].rows->length)
            status = toll_tables_pass_on(t, (toll_table)i, err);
    return status;
}
