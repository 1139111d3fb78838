/* supcom_line.c - parses lines of the profiler in Lua, from their right ends. See supcom.h. */
#include "base/text.h"
#include "supcom/supcom.h"

#include <string.h>

/* The last `c` in text[size], or NULL. Searches from the end, since the fields there are short. */
static const char *last(const char *text, size_t size, char c)
{
    while (size > 0)
        if (text[--size] == c)
            return text + size;
    return NULL;
}

/* --- values ------------------------------------------------------------------------------------*/

static bool flag(const char *text, uint8_t bit, uint8_t *seen)
{
    if (text[0] != ',' || (text[1] != 't' && text[1] != 'f'))
        return false;
    *seen |= text[1] == 't' ? bit : 0;
    return true;
}

const char *toll_supcom_fault_text(toll_supcom_fault fault)
{
    static const char *const texts[SUPCOM_FAULTS] = {
        [SUPCOM_JOINED_LINES] = "a lone carriage return joins two lines",
        [SUPCOM_NO_VALUES] = "it does not end in ;CALLS,TOTAL,MAIN,CO",
        [SUPCOM_BAD_FLAGS] = "MAIN and CO are not t or f",
        [SUPCOM_BAD_CALLS] = "CALLS is not a whole number",
        [SUPCOM_BAD_TOTAL] = "TOTAL is not a number of seconds",
        [SUPCOM_NO_STACK] = "it has no FRAME",
        [SUPCOM_BAD_FRAME] = "a FRAME is not SOURCE,LINEDEFINED,NAME,CURRENTLINE",
        [SUPCOM_BAD_NOTE] = "it is not COUNT,TEXT",
    };
    return texts[fault];
}

/* Lua prints a number as C's %.14g: 3, 0.5, 1e-05. */
toll_supcom_fault toll_supcom_values_of(const char *text, size_t size, toll_supcom_values *out)
{
    const char *comma = memchr(text, ',', size);
    bool exact;
    *out = (toll_supcom_values){ 0 };
    if (!comma || size < 5 || comma > text + size - 5)
        return SUPCOM_NO_VALUES;
    const char *flags = text + size - 4, *time = comma + 1;
    if (!flag(flags, SUPCOM_ON_MAIN, &out->seen) ||
        !flag(flags + 2, SUPCOM_IN_COROUTINE, &out->seen))
        return SUPCOM_BAD_FLAGS;
    if (!toll_text_scaled(text, (size_t)(comma - text), 0, &out->calls, &exact) || !exact ||
        out->calls < 0)
        return SUPCOM_BAD_CALLS;
    if (time >= flags || !toll_text_scaled(time, (size_t)(flags - time), 9, &out->time_ns, &exact))
        return SUPCOM_BAD_TOTAL;
    out->rounded = !exact;
    return SUPCOM_FINE;
}

bool toll_supcom_note_of(const char *text, size_t size, uint64_t *count, size_t *at)
{
    const char *comma = memchr(text, ',', size);
    int64_t n;
    if (!comma || !toll_text_i64(text, (size_t)(comma - text), &n) || n < 0)
        return false;
    *count = (uint64_t)n;
    *at = (size_t)(comma - text) + 1;
    return *at < size;
}

/* --- frames ------------------------------------------------------------------------------------*/

/* Parse a line number, which may be `?`. */
static bool line_number(const char *text, size_t size, int32_t *out)
{
    int64_t v;
    if (size == 1 && *text == '?') {
        *out = SUPCOM_NO_LINE;
        return true;
    }
    if (!toll_text_i64(text, size, &v) || v < INT32_MIN || v > INT32_MAX)
        return false;
    *out = (int32_t)v;
    return true;
}

/* Parse SOURCE,LINEDEFINED,NAME. The name of a field may contain commas. So LINEDEFINED is the
 * rightmost number that is followed by a name. */
bool toll_supcom_function_of(const char *text, size_t size, toll_supcom_frame *out)
{
    const char *name = last(text, size, ',');
    while (name) {
        const char *defined = last(text, (size_t)(name - text), ',');
        if (!defined)
            return false;
        if (line_number(defined + 1, (size_t)(name - defined) - 1, &out->defined)) {
            out->source = text;
            out->source_size = (size_t)(defined - text);
            out->name = name + 1;
            out->name_size = (size_t)(text + size - name) - 1;
            return true;
        }
        name = defined;
    }
    return false;
}

bool toll_supcom_frame_of(const char *text, size_t size, toll_supcom_frame *out)
{
    const char *current = last(text, size, ',');
    if (!current || !line_number(current + 1, (size_t)(text + size - current) - 1, &out->current))
        return false;
    out->size_without_current = (size_t)(current - text);
    return toll_supcom_function_of(text, out->size_without_current, out);
}
