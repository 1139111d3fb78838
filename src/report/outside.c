/* outside.c - see outside.h. */
#include "report/outside.h"

#include "base/buffer.h"
#include "base/fail.h"
#include "base/text.h"
#include "profile/order.h"
#include "profile/sampled.h"
#include "report/report_text.h"

#include <stdio.h>
#include <string.h>

/* The rest of the note is the type of the value. */
#define NOTE "outside of any function, in no share: "

static bool is_root(const toll_profile *p, toll_node_id node)
{
    return toll_profile_node_frame(p, node) == TOLL_NONE;
}

/* Is more than half of a column outside, but not all? Without negative values, which have no
 * shares. */
static bool is_mostly_outside(const toll_profile *p, uint32_t column)
{
    int64_t outside = 0, inside = 0;
    for (toll_node_id n = 0; n < toll_profile_node_count(p); n++) {
        int64_t self = toll_profile_self(p, n, column), *sum = is_root(p, n) ? &outside : &inside;
        if (self < 0 || !toll_i64_add(*sum, self, sum))
            return false;
    }
    return inside && outside > inside;
}

/* Set the values outside to 0; a note has their sum. */
static toll_status leave_out(toll_profile *p, uint32_t column, toll_error *err)
{
    uint64_t sum = 0;
    toll_buffer text;
    toll_status status = TOLL_OK;
    for (toll_node_id n = 0; !status && n < toll_profile_node_count(p); n++) {
        int64_t self = is_root(p, n) ? toll_profile_self(p, n, column) : 0;
        if (self <= 0)
            continue;
        sum += (uint64_t)self;
        status = toll_profile_add_self(p, n, column, -self, err);
    }
    if (status || !sum)
        return status;
    toll_buffer_init(&text, toll_profile_mem(p));
    toll_buffer_append_text(&text, NOTE);
    toll_buffer_append_text(&text, toll_profile_column(p, column).type);
    const char *note = toll_buffer_cstr(&text);
    status = note ? toll_profile_add_note(p, note, sum, err) : toll_fail_nomem(err);
    toll_buffer_free(&text);
    return status;
}

toll_status toll_report_leave_outside(const toll_profile **profile, toll_profile **own, int keep,
                                      toll_error *err)
{
    toll_status status = TOLL_OK;
    *own = NULL;
    for (uint32_t c = 0; !keep && !status && c < toll_profile_column_count(*profile); c++) {
        if (!toll_unit_ns(toll_profile_column(*profile, c).unit) || !is_mostly_outside(*profile, c))
            continue;
        bool is_first = !*own;
        if (is_first)
            status = toll_profile_copy(*profile, own, err);
        if (!status)
            status = leave_out(*own, c, err);
        uint32_t samples =
            toll_sampled_how(*profile) ? toll_profile_find_column(*profile, "samples") : TOLL_NONE;
        if (!status && is_first && samples != TOLL_NONE)
            status = leave_out(*own, samples, err);
    }
    if (status) {
        toll_profile_free(*own);
        *own = NULL;
    }
    if (*own)
        *profile = *own;
    return status;
}

/* The sum that note `i` has, at most INT64_MAX, and the type of its value; 0: it is another note.
 */
static int64_t sum_of_note(const toll_profile *p, uint32_t i, const char **type)
{
    uint64_t count;
    const char *note = toll_profile_note(p, i, &count);
    if (strncmp(note, NOTE, strlen(NOTE)) != 0)
        return 0;
    *type = note + strlen(NOTE);
    return count > INT64_MAX ? INT64_MAX : (int64_t)count;
}

void toll_report_put_left_outside(const toll_profile *p, toll_value_type v, toll_output *out)
{
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++) {
        const char *type;
        char text[TOLL_VALUE_TEXT_SIZE];
        int64_t sum = sum_of_note(p, i, &type);
        if (sum && strcmp(type, v.type) == 0)
            toll_output_printf(out, ", without %s outside", toll_value_text(sum, v.unit, text));
    }
}

bool toll_report_outside_text(const toll_profile *p, uint32_t i, char *text, size_t size)
{
    const char *type;
    char value[TOLL_VALUE_TEXT_SIZE];
    int64_t sum = sum_of_note(p, i, &type);
    if (!sum)
        return false;
    uint32_t column = toll_profile_find_column(p, type);
    const char *unit = column == TOLL_NONE ? NULL : toll_profile_column(p, column).unit;
    bool is_count = unit && strcmp(unit, "count") == 0;
    snprintf(text, size,
             "outside of any function, in the host program: %s %s%s; no share counts this, "
             "--outside does",
             toll_value_text(sum, unit, value), is_count ? "" : "of ", type);
    return true;
}
