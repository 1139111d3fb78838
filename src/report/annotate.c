/* annotate.c - prints what each line cost, beside its source. See report.h. */
#include "base/printable.h"
#include "base/sized_options.h"
#include "report/annotate_lines.h"
#include "report/annotate_text.h"
#include "report/annotate_top.h"
#include "report/outside.h"

#include <inttypes.h>

/* Print the title of a listing: its name, its place, and the sum of its lines. */
static void put_title(const toll_annotation *a, const toll_listing *listing, toll_output *out)
{
    const toll_listings *l = &a->listings;
    bool color = a->options.color;
    char where[TOLL_WHERE_TEXT_SIZE], text[TOLL_CELL_SIZE];
    toll_where_text(listing->frame, where);
    toll_output_printf(out, "\n%s", color ? TOLL_BOLD : "");
    toll_output_put_printable(
        out, l->is_of_files ? where : toll_short_name_of(&a->names, listing->frame.name));
    toll_output_printf(out, "%s%s", color ? TOLL_PLAIN : "", l->is_of_files || !*where ? "" : "  ");
    toll_output_put_printable(out, l->is_of_files ? "" : where);
    toll_output_printf(out, "\n");
    if (l->is_compared) {
        toll_annotate_put_change(a, listing->self - listing->before, out);
        toll_output_printf(out, ": ");
        toll_annotate_put_value(a, listing->before, out);
        toll_output_printf(out, " before, ");
        toll_annotate_put_value(a, listing->self, out);
        toll_output_printf(out, " after\n");
        return;
    }
    toll_output_printf(out, "self ");
    toll_annotate_put_sum(a, listing->self, out);
    toll_output_printf(out, ", total ");
    toll_annotate_put_sum(a, listing->total, out);
    if (l->has_calls && listing->calls)
        toll_output_printf(out, ", %s call%s", toll_value_text(listing->calls, "count", text),
                           toll_plural((uint64_t)listing->calls));
    toll_output_printf(out, "\n");
}

/* Print how many listings --rows omits. Self values sum up to the whole, which fits 64 bits. */
static void put_more(const toll_annotation *a, size_t shown, toll_output *out)
{
    const toll_listings *l = &a->listings;
    uint64_t sum = 0;
    if (shown == l->count)
        return;
    for (size_t i = shown; i < l->count; i++)
        sum += (uint64_t)l->items[i].self - (uint64_t)l->items[i].before;
    toll_annotate_put_more(a, l->count - shown, l->is_of_files ? "more file" : "more function",
                           (int64_t)sum, "--rows", out);
}

static void put_folded(const toll_annotation *a, toll_output *out)
{
    char count[TOLL_CELL_SIZE];
    if (!a->folded)
        return;
    toll_output_printf(out, "\n... folded above: %s small line%s, ",
                       toll_value_text((int64_t)a->folded, "count", count), toll_plural(a->folded));
    toll_annotate_put_sum(a, a->folded_self, out);
    toll_output_printf(out, " (--threshold)\n");
}

static toll_status put_listings(toll_annotation *a, toll_output *out, toll_error *err)
{
    const toll_listings *l = &a->listings;
    size_t shown = toll_annotation_shown(a);
    toll_status status = TOLL_OK;
    toll_annotate_put_heading(a, l->count, l->is_of_files ? "file" : "function", out);
    for (size_t i = 0; !status && i < shown; i++) {
        put_title(a, &l->items[i], out);
        status = toll_annotate_put_lines(a, &l->items[i], out, err);
    }
    if (status)
        return status;
    put_more(a, shown, out);
    put_folded(a, out);
    return TOLL_OK;
}

static void put_unequal(const toll_annotation *a, toll_output *out)
{
    if (a->unequal)
        toll_output_printf(out,
                           "\nnote: %" PRIu64 " line%s cost something else than %s instructions: "
                           "another table of costs (--costs), or functions of other programs\n",
                           a->unequal, toll_plural(a->unequal), a->unequal == 1 ? "its" : "their");
}

static void put_note(const toll_annotation *a, toll_output *out)
{
    if (!a->without_lines.type)
        return;
    toll_output_printf(out, "\nnote: this profile says which function spent ");
    toll_output_put_printable(out, a->without_lines.type);
    toll_output_printf(out, ", but not which line; the figures above are ");
    toll_output_put_printable(out, a->listings.value.type);
    toll_output_printf(out, ", which it has by line\n");
}

static toll_status put_annotation(const toll_profile *p, const toll_profile *before,
                                  const toll_annotate_options *o, toll_output *out, toll_error *err)
{
    toll_annotation a;
    toll_status status = toll_annotation_create(&a, p, before, o, out, err);
    if (status)
        return status;
    status = a.options.top ? toll_annotate_put_top(&a, out, err) : put_listings(&a, out, err);
    if (!status) {
        put_note(&a, out);
        put_unequal(&a, out);
        toll_report_put_notes(out, p, &a.shown);
    }
    toll_annotation_free(&a);
    return status;
}

toll_status toll_report_annotate(const toll_profile *p, const toll_profile *before,
                                 const toll_annotate_options *o, toll_output *out, toll_error *err)
{
    toll_annotate_options own;
    toll_profile *inside = NULL;
    toll_status status = toll_options_copy(&own, sizeof own, o, "toll_annotate_options", err);
    if (!status)
        status = toll_report_leave_outside(&p, &inside, before || own.keep_outside, err);
    if (!status)
        status = put_annotation(p, before, &own, out, err);
    toll_profile_free(inside);
    return status;
}
