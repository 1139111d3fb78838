/* section_log.c - writes results of sections as lines of a log. See toll/sections.h. */
#include "base/fail.h"
#include "base/printable.h"
#include "sections/section_place.h"
#include "sections/sections_data.h"

#include <inttypes.h>

/* Each character that is not printable becomes one ?, so that the line keeps its length in
 * characters. */
static void append_text(toll_buffer *line, const char *id, size_t size)
{
    while (size > 0) {
        toll_character c = toll_character_at(id, size);
        toll_buffer_append(line, c.is_printable ? id : "?", c.is_printable ? c.size : 1);
        id += c.size;
        size -= c.size;
    }
}

void toll_section_append_id(toll_buffer *line, const char *id, size_t size)
{
    toll_section_place place = toll_section_split(id, size);
    append_text(line, id, place.name_size);
    if (!place.file_size)
        return;
    toll_buffer_append_byte(line, ' ');
    append_text(line, place.file, place.file_size);
    toll_buffer_append_format(line, ":%u", (unsigned)place.line);
}

typedef struct section_log {
    toll_buffer line;
    toll_write_line *write;
    void *user;
    toll_error *err;
} section_log;

static toll_status put_line(section_log *log)
{
    if (log->line.failed)
        return toll_fail_nomem(log->err);
    toll_status status = log->write(log->user, (const char *)log->line.data, log->line.size);
    toll_buffer_clear(&log->line);
    return status;
}

static toll_status log_ended(section_log *log, size_t number, const toll_section *section)
{
    char text[120];
    snprintf(text, sizeof text, "CU log: %2zu ", number);
    toll_buffer_append_text(&log->line, text);
    toll_section_append_id(&log->line, section->id, section->id_size);
    snprintf(text, sizeof text, " consumed %6" PRIu64 " CU (net %6" PRIu64 " CU)", section->total,
             section->net);
    toll_buffer_append_text(&log->line, text);
    toll_status status = put_line(log);
    if (status || !section->has_heap)
        return status;
    snprintf(text, sizeof text,
             "HEAP : %5" PRId64 " heap (net %5" PRId64 " heap) remaining %5" PRIu64,
             section->heap_total, section->heap_net, section->heap_remaining);
    toll_buffer_append_text(&log->line, text);
    return put_line(log);
}

static toll_status log_open(section_log *log, const toll_section *section)
{
    char text[80];
    toll_buffer_append_text(&log->line, "CU log: ");
    toll_section_append_id(&log->line, section->id, section->id_size);
    snprintf(text, sizeof text, " was not ended, %" PRIu64 " CU so far", section->total);
    toll_buffer_append_text(&log->line, text);
    return put_line(log);
}

toll_status toll_sections_log(const toll_sections *s, const toll_section_results *results,
                              toll_write_line *write, void *user, toll_error *err)
{
    section_log log = { .write = write, .user = user, .err = err };
    toll_status status = TOLL_OK;
    if (!results || !write)
        return toll_fail_null(err, results ? "write" : "results");
    toll_buffer_init(&log.line, &s->mem);
    for (size_t i = 0; !status && i < results->ended_count; i++)
        status = log_ended(&log, i + 1, &results->ended[i]);
    for (size_t i = 0; !status && i < results->open_count; i++)
        status = log_open(&log, &results->open[i]);
    toll_buffer_free(&log.line);
    return status;
}
