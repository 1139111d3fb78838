/* annotate_json.c - prints what each line cost, as JSON. See report.h. */
#include "base/fail.h"
#include "base/json_write.h"
#include "base/text.h"
#include "report/annotation.h"
#include "report/costliest_lines.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <string.h>

static void put_member(toll_output *out, const char *name, int64_t value)
{
    toll_output_printf(out, ",\"%s\":", name);
    toll_json_put_i64(out, value);
}

static void put_values(const toll_annotation *a, int64_t self, int64_t total, int64_t before,
                       toll_output *out)
{
    if (a->listings.is_compared) {
        put_member(out, "change", self - before);
        put_member(out, "before", before);
        put_member(out, "after", self);
    } else {
        put_member(out, "self", self);
        put_member(out, "total", total);
    }
}

/* Print the text of a line. JSON is UTF-8, but the source may contain any bytes. */
static bool put_source(const char *line, size_t size, toll_buffer *room, toll_output *out)
{
    toll_buffer_clear(room);
    toll_text_append_clean(room, line, size);
    const char *text = toll_buffer_cstr(room);
    if (!text)
        return false;
    toll_json_put_text(out, ",\"source\":");
    toll_json_put_string(out, text);
    return true;
}

/* Where the text is from, unless it is the file's own. */
static void put_origin(const char *origin, toll_output *out)
{
    if (!*origin)
        return;
    toll_json_put_text(out, ",\"source_from\":");
    toll_json_put_string(out, origin);
}

/* The text of an instruction has names of functions in it, which may be anything. */
static bool put_instruction(const toll_annotation *a, const toll_instruction *i, toll_buffer *room,
                            toll_output *out)
{
    toll_buffer_clear(room);
    toll_text_append_clean(room, i->text, strlen(i->text));
    const char *text = toll_buffer_cstr(room);
    if (!text)
        return false;
    toll_output_printf(out, "{\"address\":%" PRIu64, i->address);
    put_member(out, "self", i->self);
    if (a->listings.has_executions)
        put_member(out, "executions", i->executions);
    toll_json_put_text(out, ",\"text\":");
    toll_json_put_string(out, text);
    toll_json_put_text(out, "}");
    return true;
}

static bool put_instructions(const toll_annotation *a, toll_annotation_code own, toll_buffer *room,
                             toll_output *out)
{
    bool good = true;
    toll_json_put_text(out, ",\n   \"instructions\":[");
    for (const char *comma = ""; good && own.at < own.end; own.at++, comma = ",\n    ") {
        toll_json_put_text(out, comma);
        good = put_instruction(a, own.at, room, out);
    }
    toll_json_put_text(out, "]");
    return good;
}

/* Is the line under the threshold? Then count it as folded. */
static bool is_folded(toll_annotation *a, double limit, const toll_line *line)
{
    bool compares = a->listings.is_compared;
    if (limit <= 0 || !line->line ||
        toll_annotation_matters(limit, line->self - line->before, compares ? 0 : line->total))
        return false;
    a->folded++;
    return true;
}

static toll_status put_lines(toll_annotation *a, const toll_listing *listing, toll_buffer *room,
                             toll_output *out, toll_error *err)
{
    toll_source_text source;
    toll_annotation_code code;
    const toll_line *line = a->listings.lines + listing->first, *end = line + listing->count;
    const char *file = NULL; /* file whose source is open */
    const uint64_t folded = a->folded;
    const double limit = toll_annotation_limit(a, listing);
    toll_status status = toll_annotation_instructions(a, listing, &code, err);
    toll_json_put_text(out, ",\n \"lines\":[");
    for (const char *comma = ""; !status && line < end; line++) {
        if (is_folded(a, limit, line))
            continue;
        if (!file || strcmp(file, line->file) != 0)
            status = toll_annotation_source(a, listing, file = line->file, &source, err);
        if (status)
            break;
        toll_output_printf(out, "%s\n  {\"line\":%" PRIu32, comma, line->line);
        comma = ",";
        if (*file) {
            toll_json_put_text(out, ",\"file\":");
            toll_json_put_string(out, file);
        }
        put_values(a, line->self, line->total, line->before, out);
        if (a->listings.has_executions && !a->listings.is_compared)
            put_member(out, "executions", line->executions);
        if (line->line && toll_source_go(&source, line->line)) {
            const char *path = *file ? file : listing->frame.file;
            put_origin(toll_annotation_origin(a, path), out);
            if (!put_source(source.line_text, source.line_size, room, out))
                status = toll_fail_nomem(err);
        }
        if (!status && a->options.instructions &&
            !put_instructions(a, toll_annotation_code_of_line(&code, file, line->line), room, out))
            status = toll_fail_nomem(err);
        toll_json_put_text(out, "}");
    }
    toll_json_put_text(out, "]");
    if (a->folded > folded)
        put_member(out, "folded_lines", (int64_t)(a->folded - folded));
    return status;
}

static toll_status put_listing(toll_annotation *a, const toll_listing *listing, toll_buffer *room,
                               toll_output *out, toll_error *err)
{
    toll_json_put_text(out, "{");
    if (a->listings.is_of_files) {
        toll_json_put_text(out, "\"file\":");
        toll_json_put_string(out, listing->frame.file);
    } else {
        toll_report_put_json_frame(out, listing->frame);
    }
    put_values(a, listing->self, listing->total, listing->before, out);
    if (a->listings.has_calls && !a->listings.is_compared)
        put_member(out, "calls", listing->calls);
    toll_status status = put_lines(a, listing, room, out, err);
    toll_json_put_text(out, "}");
    return status;
}

static toll_status put_listings(toll_annotation *a, toll_buffer *room, toll_output *out,
                                toll_error *err)
{
    const toll_listings *l = &a->listings;
    const char *what = l->is_of_files ? "file" : "function";
    toll_status status = TOLL_OK;
    size_t shown = toll_annotation_shown(a);
    toll_output_printf(out, ",\n\"%s_count\":%zu,\n\"%ss\":[", what, l->count, what);
    for (size_t i = 0; !status && i < shown; i++) {
        toll_json_put_text(out, i ? ",\n" : "\n");
        status = put_listing(a, &l->items[i], room, out, err);
    }
    toll_json_put_text(out, "]");
    return status;
}

/* --- the costliest lines -----------------------------------------------------------------------*/

static void put_cost(const toll_annotation *a, const toll_costly_line *row, toll_output *out)
{
    if (a->listings.is_compared)
        put_values(a, row->self, row->self, row->before, out);
    else
        put_member(out, "self", row->self);
    if (a->listings.has_executions && !a->listings.is_compared)
        put_member(out, "executions", row->executions);
}

static bool put_costly_line(const toll_annotation *a, const toll_costly_line *row,
                            toll_buffer *room, toll_output *out)
{
    toll_output_printf(out, "\n {\"line\":%" PRIu32 ",\"file\":", row->line);
    toll_json_put_string(out, row->file);
    put_cost(a, row, out);
    put_member(out, "function_count", row->functions);
    toll_json_put_text(out, ",\"function\":{");
    toll_report_put_json_frame(out, row->function->frame);
    toll_json_put_text(out, "}");
    if (row->text)
        put_origin(toll_annotation_origin(a, row->file), out);
    bool good = !row->text || put_source(row->text, row->text_size, room, out);
    toll_json_put_text(out, "}");
    return good;
}

static toll_status put_top(const toll_annotation *a, toll_buffer *room, toll_output *out,
                           toll_error *err)
{
    toll_costliest_lines lines;
    toll_status status = toll_costliest_lines_create(&lines, a, err);
    if (status)
        return status;
    toll_output_printf(out, ",\n\"line_count\":%zu", lines.count);
    put_member(out, a->listings.is_compared ? "other_lines_change" : "other_lines_self",
               lines.rest);
    toll_json_put_text(out, ",\n\"lines\":[");
    for (size_t i = 0; !status && i < lines.shown; i++) {
        toll_json_put_text(out, i ? "," : "");
        if (!put_costly_line(a, &lines.items[i], room, out))
            status = toll_fail_nomem(err);
    }
    toll_json_put_text(out, "]");
    toll_costliest_lines_free(&lines);
    return status;
}

toll_status toll_report_annotate_json(const toll_profile *p, const toll_profile *before,
                                      const toll_annotate_options *o, toll_output *out,
                                      toll_error *err)
{
    toll_annotation a;
    toll_buffer room;
    toll_status status = toll_annotation_create(&a, p, before, o, out, err);
    if (status)
        return status;
    const toll_listings *l = &a.listings;
    toll_buffer_init(&room, &l->mem);
    toll_json_put_text(out, "{\"value\":");
    toll_json_put_string(out, l->value.type);
    toll_json_put_text(out, ",\"unit\":");
    toll_json_put_string(out, l->value.unit);
    if (l->is_compared)
        put_values(&a, l->whole, l->whole, l->whole_before, out);
    else
        put_member(out, "total", l->whole);
    status = a.options.top ? put_top(&a, &room, out, err) : put_listings(&a, &room, out, err);
    if (a.unequal)
        put_member(out, "lines_unlike_their_instructions", (int64_t)a.unequal);
    toll_json_put_text(out, "}\n");
    toll_buffer_free(&room);
    toll_annotation_free(&a);
    return status;
}
