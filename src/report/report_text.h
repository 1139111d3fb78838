/* report_text.h - writes names, places and shares safely for a terminal. For report/ only.
 *
 * Names come from files: they are escaped by base/printable.h. Widths are in columns of the
 * terminal.
 */
#ifndef TOLL_REPORT_REPORT_TEXT_H
#define TOLL_REPORT_REPORT_TEXT_H

#include "profile/shown.h"

#include <toll/profile.h>
#include <toll/report.h>
#include <toll/stream.h>

enum {
    TOLL_SHARE_TEXT_SIZE = 16,
    TOLL_WHERE_TEXT_SIZE = 512,
    TOLL_SIGNED_TEXT_SIZE = TOLL_VALUE_TEXT_SIZE + 1
};

/* A change of a value: toll_value_text, with + before an increase. */
const char *toll_signed_text(int64_t change, const char *unit, char text[TOLL_SIGNED_TEXT_SIZE]);

/* How many nanoseconds a unit of time has; 0 for other units. */
uint64_t toll_unit_ns(const char *unit);

/* "12.3%" of whole, rounded to the nearest tenth; "-" if a share has no meaning: the whole is not
 * positive, or the part is negative or larger than it. */
const char *toll_share_text(int64_t part, int64_t whole, char text[TOLL_SHARE_TEXT_SIZE]);

/* "FILE:LINE", "FILE", or "". A path that is too long is cut at its front: its end is more useful.
 * Instead of a file that is no path, such as a program's address: the module, if it is shorter. */
const char *toll_where_text(toll_frame frame, char text[TOLL_WHERE_TEXT_SIZE]);

/* A name, safe for a terminal, padded with blanks to `width` columns. */
void toll_report_put_padded(toll_output *out, const char *name, size_t width);

/* Put a figure, right-aligned in `width` columns; and widen `width` for a figure. */
void toll_report_put_figure(toll_output *out, const char *text, size_t width);
void toll_report_widen(size_t *width, const char *text);

/* Put an empty line and the notes, one a line: "note: returns without a call: 3". If another column
 * than the default one is shown, a note says so. */
void toll_report_put_notes(toll_output *out, const toll_profile *profile, const toll_shown *shown);

/* The name of a thread's root in a report: its title; without one "(none)" beside other threads,
 * else "". */
const char *toll_report_thread_name(const toll_profile *profile, toll_thread_id thread);

/* The plural ending after a count: "s" unless it is 1. */
const char *toll_plural(uint64_t count);

/* Put "name":..., and "file" and "line" if they are known: members of a JSON object. */
void toll_report_put_json_frame(toll_output *out, toll_frame frame);

/* Put "thread":..., "stack":[...]: members of a JSON object. `frames` are innermost first; `left`
 * outer ones are omitted, and counted. */
void toll_report_put_json_stack(toll_output *out, const toll_profile *profile,
                                toll_thread_id thread, const toll_frame_id *frames, uint32_t count,
                                uint32_t left);

#endif
