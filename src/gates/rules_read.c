/* rules_read.c - reads budgets. See rules.h. */
#include "gates/rules.h"

#include "base/fail.h"
#include "base/input.h"
#include "gates/rule_labels.h"
#include "gates/rule_parse.h"

#include <string.h>

static toll_status parse_file(toll_rules *r, toll_error *err)
{
    toll_status status = TOLL_OK;
    const char *text = (const char *)r->file.data;
    size_t at = r->file.size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    for (uint32_t line = 1; !status && at < r->file.size; line++) {
        const char *end = memchr(text + at, '\n', r->file.size - at);
        size_t next = end ? (size_t)(end - text) + 1 : r->file.size;
        size_t stop = end ? next - 1 : next;
        if (stop > at && text[stop - 1] == '\r')
            stop--;
        status = toll_rule_parse(r, line, at, stop - at, err);
        at = next;
    }
    return status;
}

static toll_status read_text(toll_rules *r, toll_input *in, toll_error *err)
{
    size_t got;
    const uint8_t *bytes;
    while ((bytes = toll_input_peek(in, 1, &got)) != NULL && got) {
        if (r->file.size + got > TOLL_RULES_FILE_SIZE)
            return toll_fail(err, TOLL_E_LIMIT,
                             "%s: a budget of more than 4 MiB; is this the file of rules?",
                             toll_input_name(in));
        if (!toll_buffer_append(&r->file, bytes, got))
            return toll_fail_nomem(err);
        toll_input_skip(in, got);
    }
    return toll_input_check(in, err);
}

toll_status toll_rules_read(toll_rules *r, toll_input *in, toll_error *err)
{
    const toll_mem *mem = toll_input_mem(in);
    *r = (toll_rules){ .mem = *mem };
    toll_buffer_init(&r->name, mem);
    toll_buffer_init(&r->file, mem);
    toll_buffer_init(&r->texts, mem);
    toll_buffer_init(&r->keys, mem);
    if (!toll_buffer_append(&r->name, toll_input_name(in), strlen(toll_input_name(in)) + 1))
        return toll_fail_nomem(err);
    toll_status status = read_text(r, in, err);
    if (!status)
        status = parse_file(r, err);
    return status ? status : toll_rules_find_keys(r, err);
}
