/* page.c - writes the page of `toll view`: one file of HTML with the whole profile. See
 * toll/report.h for what it is, docs/page.md for its form.
 *
 * The text of the page is in src/page/web; this file writes the title, a still picture, the header
 * and the blocks. Names are data in the page: they are in the header, where `<` is \u003c, and in
 * blocks, which are base64. Sizes of blocks are in the header, so each block is made twice:
 * counted, then written. */
#include "report/flame_svg.h"
#include "report/outside.h"
#include "page/page_header.h"
#include "page/page_parts.h"
#include "page/page_row.h"

#include "base/fail.h"
#include "base/printable.h"
#include "base/sized_options.h"

#include <string.h>

#if TOLL_HAVE_PAGE

/* Write text, with the characters escaped that have a meaning in HTML or a <script>. */
static void put_escaped(toll_output *out, const char *text, size_t size, const char *less,
                        const char *and)
{
    const char *end = text + size, *plain = text;
    for (; text < end; text++) {
        const char *instead = *text == '<' ? less : *text == '&' ? and : NULL;
        if (!instead)
            continue;
        toll_output_write(out, plain, (size_t)(text - plain));
        toll_output_write(out, instead, strlen(instead));
        plain = text + 1;
    }
    toll_output_write(out, plain, (size_t)(end - plain));
}

static void put_html(void *out, const char *text, size_t size)
{
    put_escaped(out, text, size, "&lt;", "&amp;");
}

static void put_title(toll_output *out, const toll_page_options *o, bool compares)
{
    toll_put_printable(o->title, strlen(o->title), put_html, out);
    if (!compares)
        return;
    toll_output_printf(out, " beside ");
    toll_put_printable(o->before, strlen(o->before), put_html, out);
}

static toll_status put_header(toll_page_tables *t, const toll_page_options *o,
                              const toll_block_info *blocks, uint32_t count, toll_output *out,
                              toll_error *err)
{
    toll_output *json;
    size_t size;
    toll_status status = toll_output_to_memory(&t->tree->mem, 0, &json, err);
    if (status)
        return status;
    status = toll_page_write_header(t, o, blocks, count, json, err);
    if (!status)
        status = toll_output_commit(json, err);
    if (!status) {
        const char *text = toll_output_data(json, &size);
        toll_output_printf(out, "<script type=\"application/json\" id=\"toll-header\">");
        put_escaped(out, text, size, "\\u003c", "&");
        toll_output_printf(out, "</script>\n");
    }
    toll_output_free(json);
    return status;
}

static toll_status put_data(toll_page_tables *t, const toll_page_options *o, toll_output *out,
                            toll_error *err)
{
    char name[TOLL_BLOCK_NAME_SIZE];
    size_t most = toll_page_most_blocks(t);
    if (o->sources)
        *o->sources = t->source.files;
    toll_block_info *blocks = toll_mem_new(&t->tree->mem, most, sizeof *blocks);
    if (!blocks)
        return toll_fail_nomem(err);
    uint32_t count = toll_page_list_blocks(t, blocks);
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < count; i++)
        status = toll_page_write_block(t, &blocks[i], NULL, err);
    if (!status)
        status = put_header(t, o, blocks, count, out, err);
    for (uint32_t i = 0; !status && i < count; i++) {
        toll_output_printf(out, "<script type=\"text/plain\" id=\"toll-block-%s\">",
                           toll_page_block_name(&blocks[i], name));
        status = toll_page_write_block(t, &blocks[i], out, err);
        toll_output_printf(out, "</script>\n");
    }
    toll_mem_free(&t->tree->mem, blocks, most, sizeof *blocks);
    return status;
}

/* Write a still picture, which is shown where the page's script may not run. Values without widths
 * have no picture. */
static toll_status put_still(const toll_profile *profile, const toll_page_options *o,
                             toll_output *out, toll_error *err)
{
    toll_svg_options picture = {
        .value = o->value, .most_boxes = 120, .most_rows = 40, .keeps_outside = o->keep_outside
    };
    toll_error own;
    toll_status status = toll_svg_put(profile, &picture, out, &own);
    if (status == TOLL_E_UNSUPPORTED || status == TOLL_E_NOT_FOUND || status == TOLL_E_OVERFLOW)
        return TOLL_OK;
    *err = status ? own : *err;
    return status;
}

static void put_part(toll_output *out, toll_page_part part)
{
    toll_output_write(out, part.text, part.size);
}

static toll_status write_page(const toll_stack_tree *tree, toll_page_timeline *timeline,
                              const toll_page_options *o, toll_output *out, toll_error *err)
{
    toll_page_tables tables;
    toll_status status = toll_page_tables_create(&tables, tree, timeline, o, err);
    if (!status)
        status = toll_page_timeline_measure(timeline, &tree->order, err);
    if (!status) {
        put_part(out, toll_page_text.head);
        put_title(out, o, tree->sides[TOLL_SIDE_BEFORE] != NULL);
        put_part(out, toll_page_text.to_still);
        status = put_still(tree->sides[TOLL_SIDE_AFTER], o, out, err);
    }
    if (!status) {
        put_part(out, toll_page_text.to_data);
        status = put_data(&tables, o, out, err);
    }
    if (!status)
        put_part(out, toll_page_text.tail);
    toll_page_tables_free(&tables);
    return status;
}

#else

static toll_status write_page(const toll_stack_tree *tree, toll_page_timeline *timeline,
                              const toll_page_options *o, toll_output *out, toll_error *err)
{
    (void)tree, (void)timeline, (void)o, (void)out;
    return toll_fail(err, TOLL_E_UNSUPPORTED,
                     "this build has no page; write another format, and make the page of it with "
                     "the command: toll view");
}

#endif

/* The sides of the page: the profile, the one before it, and those between. */
static toll_status create_tree(toll_stack_tree *tree, const toll_profile *profile,
                               const toll_profile *before, const toll_page_options *o,
                               toll_error *err)
{
    const toll_mem *mem = toll_profile_mem(profile);
    uint32_t between = before ? o->between_count : 0;
    size_t room = (size_t)TOLL_SIDE_COUNT + between;
    const toll_profile **sides = toll_mem_new(mem, room, sizeof *sides);
    if (!sides)
        return toll_fail_nomem(err);
    sides[TOLL_SIDE_AFTER] = profile;
    sides[TOLL_SIDE_BEFORE] = before;
    for (uint32_t i = 0; i < between; i++)
        sides[TOLL_SIDE_COUNT + i] = o->between[i];
    toll_status status =
        toll_stack_tree_create(tree, sides, before ? TOLL_SIDE_COUNT + between : 1, err);
    toll_mem_free(mem, sides, room, sizeof *sides);
    return status;
}

toll_status toll_report_page(const toll_profile *profile, const toll_profile *before,
                             const toll_page_options *options, toll_output *out, toll_error *err)
{
    toll_page_options own;
    toll_profile *inside = NULL;
    toll_stack_tree tree = { 0 };
    toll_page_timeline timeline;
    toll_error unwanted;
    if (!out)
        return toll_fail_null(err, "out");
    err = err ? err : &unwanted;
    toll_status status = toll_options_copy(&own, sizeof own, options, "toll_page_options", err);
    if (status)
        return status;
    if (own.between_count && (!before || !own.between))
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "profiles between two: there is no profile before them");
    own.title = own.title ? own.title : "profile";
    own.before = own.before ? own.before : "before";
    own.keep_outside |= before != NULL;
    status = toll_page_timeline_create(&timeline, toll_profile_mem(profile), own.timeline,
                                       before != NULL, err);
    if (!status)
        status = toll_report_leave_outside(&profile, &inside, own.keep_outside, err);
    if (!status)
        status = create_tree(&tree, profile, before, &own, err);
    if (!status)
        status = toll_page_timeline_complete(&timeline, &tree.sides[TOLL_SIDE_AFTER],
                                             &tree.own[TOLL_SIDE_AFTER], err);
    if (!status)
        status = toll_stack_tree_sort(&tree, own.value, err);
    if (!status)
        status = write_page(&tree, &timeline, &own, out, err);
    toll_stack_tree_free(&tree);
    toll_page_timeline_free(&timeline);
    toll_profile_free(inside);
    return status;
}

/* Recognise any HTML page, only to say that pages cannot be read. */
toll_sniff toll_html_sniff(const uint8_t *data, size_t size)
{
    static const char begin[] = "<!doctype html";
    for (size_t i = 0; i < sizeof begin - 1; i++)
        if (i >= size || (data[i] | 0x20) != (begin[i] | 0x20))
            return TOLL_SNIFF_NO;
    return TOLL_SNIFF_SURE;
}

/* Is the page called after a timeline's own file? */
static bool is_of_timeline(const char *title)
{
    static const char end[] = ".toll-timeline";
    size_t size = title ? strlen(title) : 0;
    return size >= sizeof end - 1 && strcmp(title + size - (sizeof end - 1), end) == 0;
}

toll_status toll_html_write(const toll_write_job *job, toll_error *err)
{
    toll_page_options o = { .size = sizeof o,
                            .title = job->options->title,
                            .value = job->options->value,
                            .in_time = job->timeline && is_of_timeline(job->options->title),
                            .timeline = job->timeline };
    return toll_report_page(job->profile, NULL, &o, job->out, err);
}
