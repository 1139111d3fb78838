/* json_notes.c - see json_notes.h. */
#include "format/json_notes.h"

#include "base/json_write.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

void toll_json_put_note(toll_output *out, uint64_t count, const char *text)
{
    toll_output_printf(out, "\"%" PRIu64 " ", count);
    toll_json_put_inner(out, text);
    toll_json_put_text(out, "\"");
}

static bool add_note(toll_json *j, toll_profile *profile)
{
    const char *text = toll_json_text(j), *space = strchr(text, ' ');
    toll_error err;
    uint64_t count;
    if (!space || !space[1] || !toll_text_u64(text, (size_t)(space - text), &count))
        return true;
    toll_status status = toll_profile_add_note(profile, space + 1, count, &err);
    return !status || toll_json_fail(j, status, err.text);
}

bool toll_json_read_notes(toll_json *j, toll_profile *profile)
{
    toll_json_token t = toll_json_next(j);
    if (t != TOLL_JSON_ARRAY)
        return toll_json_skip(j, t);
    while ((t = toll_json_next(j)) != TOLL_JSON_ARRAY_END)
        if (!(t == TOLL_JSON_STRING ? add_note(j, profile) : toll_json_skip(j, t)))
            return false;
    return true;
}
