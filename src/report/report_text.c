/* report_text.c - see report_text.h. */
#include "report/report_text.h"

#include "base/json_write.h"
#include "base/printable.h"
#include "report/outside.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *toll_signed_text(int64_t change, const char *unit, char text[TOLL_SIGNED_TEXT_SIZE])
{
    char plain[TOLL_VALUE_TEXT_SIZE];
    snprintf(text, TOLL_SIGNED_TEXT_SIZE, "%s%s", change > 0 ? "+" : "",
             toll_value_text(change, unit, plain));
    return text;
}

const char *toll_share_text(int64_t part, int64_t whole, char text[TOLL_SHARE_TEXT_SIZE])
{
    if (whole <= 0 || part < 0 || part > whole) {
        strcpy(text, "-");
        return text;
    }
    /* Compute tenths of a percent. Both factors are halved until the product fits: from 2^53 on the
     * lost bit does not change the first decimal. */
    uint64_t p = (uint64_t)part, w = (uint64_t)whole;
    while (w > UINT64_MAX / 4000) {
        p /= 2;
        w /= 2;
    }
    uint64_t tenths = (p * 2000 + w) / (2 * w);
    snprintf(text, TOLL_SHARE_TEXT_SIZE, "%u.%u%%", (unsigned)(tenths / 10) % 1000,
             (unsigned)(tenths % 10));
    return text;
}

/* Rows such as (outside) have a frame without a module, also without an empty one. A file that is
 * no path is a name for machines, such as the address of a Solana program: its
 * module's name is as good, and leaves room on the screen, if it is shorter. */
static const char *file_text(const toll_frame *f)
{
    bool is_path = f->line || strpbrk(f->file, "/\\.");
    return !is_path && f->module && *f->module && strlen(f->module) < strlen(f->file) ? f->module
                                                                                      : f->file;
}

const char *toll_where_text(toll_frame f, char text[TOLL_WHERE_TEXT_SIZE])
{
    enum { MOST = TOLL_WHERE_TEXT_SIZE - 16 }; /* room for "...", ":" and a line number */
    const char *file = file_text(&f);
    size_t n = strlen(file);
    *text = 0;
    if (!n)
        return text;
    if (n > MOST) {
        file += n - MOST;
        while (((uint8_t)*file & 0xc0) == 0x80) /* do not cut a character */
            file++;
    }
    int used = snprintf(text, TOLL_WHERE_TEXT_SIZE, "%s%s", n > MOST ? "..." : "", file);
    if (f.line && used > 0)
        snprintf(text + used, TOLL_WHERE_TEXT_SIZE - (size_t)used, ":%" PRIu32, f.line);
    return text;
}

static void put_blanks(toll_output *out, size_t used, size_t width)
{
    for (; used < width; used++)
        toll_output_write(out, " ", 1);
}

void toll_report_put_padded(toll_output *out, const char *name, size_t width)
{
    toll_output_put_printable(out, name);
    put_blanks(out, toll_printable_width(name), width);
}

void toll_report_put_figure(toll_output *out, const char *text, size_t width)
{
    put_blanks(out, toll_printable_width(text), width);
    toll_output_write(out, text, strlen(text));
}

void toll_report_widen(size_t *width, const char *text)
{
    size_t needed = toll_printable_width(text);
    if (needed > *width)
        *width = needed;
}

void toll_report_put_json_frame(toll_output *out, toll_frame f)
{
    toll_json_put_text(out, "\"name\":");
    toll_json_put_string(out, f.name);
    if (*f.file) {
        toll_json_put_text(out, ",\"file\":");
        toll_json_put_string(out, f.file);
    }
    if (f.line)
        toll_output_printf(out, ",\"line\":%" PRIu32, f.line);
    if (f.module && *f.module) {
        toll_json_put_text(out, ",\"module\":");
        toll_json_put_string(out, f.module);
    }
}

static bool is_of_recording(const char *note)
{
    return strncmp(note, TOLL_NOTE_RECORDING, sizeof TOLL_NOTE_RECORDING - 1) == 0;
}

/* Put one note for those of what recording took. */
static void put_recording(toll_output *out, const toll_profile *p)
{
    uint64_t sum = 0, count;
    char text[TOLL_VALUE_TEXT_SIZE];
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++)
        if (is_of_recording(toll_profile_note(p, i, &count)))
            sum = count > INT64_MAX - sum ? INT64_MAX : sum + count;
    toll_output_printf(out,
                       "note: about %s of the time is the profiler's own; toll report "
                       "--no-overhead subtracts it\n",
                       toll_value_text((int64_t)sum, "nanoseconds", text));
}

void toll_report_put_notes(toll_output *out, const toll_profile *p, const toll_shown *shown)
{
    bool any = shown->instead != TOLL_NONE, was_recording = false;
    if (any) {
        char text[TOLL_WHERE_TEXT_SIZE];
        toll_output_printf(out, "\nnote: ");
        toll_output_put_printable(out, toll_shown_text(p, shown, text, sizeof text));
        toll_output_printf(out, " (--value chooses)\n");
    }
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++) {
        uint64_t count;
        const char *text = toll_profile_note(p, i, &count);
        char number[TOLL_VALUE_TEXT_SIZE], outside[300];
        toll_value_text(count > INT64_MAX ? INT64_MAX : (int64_t)count, "count", number);
        toll_output_printf(out, "%s", any || i ? "" : "\n");
        if (is_of_recording(text)) {
            if (!was_recording)
                put_recording(out, p);
            was_recording = true;
            continue;
        }
        bool has_number = toll_report_outside_text(p, i, outside, sizeof outside);
        toll_output_printf(out, "note: ");
        toll_output_put_printable(out, has_number ? outside : text);
        toll_output_printf(out, has_number ? "\n" : ": %s\n", number);
    }
}

const char *toll_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

const char *toll_report_thread_name(const toll_profile *p, toll_thread_id thread)
{
    const char *title = toll_profile_thread_title(p, thread);
    return !*title && toll_profile_thread_count(p) > 1 ? "(none)" : title;
}

void toll_report_put_json_stack(toll_output *out, const toll_profile *p, toll_thread_id thread,
                                const toll_frame_id *frames, uint32_t count, uint32_t left)
{
    toll_json_put_text(out, "\"thread\":");
    toll_json_put_string(out, toll_profile_thread_title(p, thread));
    if (left)
        toll_output_printf(out, ",\"outer_frames_left_out\":%" PRIu32, left);
    toll_json_put_text(out, ",\"stack\":[");
    while (count-- > 0) {
        toll_json_put_string(out, toll_profile_frame(p, frames[count]).name);
        toll_json_put_text(out, count ? "," : "");
    }
    toll_json_put_text(out, "]");
}
