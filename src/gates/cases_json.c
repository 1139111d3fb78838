/* cases_json.c - prints cases as JSON. See cases.h. */
#include "gates/cases.h"

#include "base/json_write.h"

#include <inttypes.h>

static void put_labels(const toll_cases *c, const toll_case *item, toll_output *out)
{
    for (uint32_t i = 0; i < c->key_count; i++) {
        toll_output_printf(out, i ? "," : ",\"labels\":{");
        toll_json_put_string(out, c->keys[i]);
        toll_output_printf(out, ":");
        const char *name = item->names[i];
        if (name)
            toll_json_put_string(out, name);
        else
            toll_output_printf(out, "null");
    }
    toll_output_printf(out, c->key_count ? "}" : "");
}

static void put_case(const toll_cases *c, const toll_case *item, toll_output *out)
{
    toll_output_printf(out, "{\"%s\":%" PRId64, c->before ? "after" : "value", item->after);
    if (c->before)
        toll_output_printf(out, ",\"before\":%" PRId64 ",\"change\":%" PRId64, item->before,
                           item->by);
    if (item->is_new || item->is_gone)
        toll_output_printf(out, ",\"only\":\"%s\"", item->is_new ? "after" : "before");
    if (c->runs && item != &c->all && c->runs[item->thread].count)
        toll_output_printf(
            out, ",\"transactions\":%" PRId64 ",\"least\":%" PRId64 ",\"most\":%" PRId64,
            c->runs[item->thread].count, c->runs[item->thread].least, c->runs[item->thread].most);
    if (c->has_calls)
        toll_output_printf(out, ",\"calls\":%" PRId64, item->calls);
    if (c->all.system_calls)
        toll_output_printf(out, ",\"system_calls\":%" PRId64, item->system_calls);
    for (uint32_t i = 0; i < c->other_count; i++) {
        toll_output_printf(out, i ? "," : ",\"values\":{");
        toll_json_put_string(out, toll_profile_column(c->after, c->others[i]).type);
        toll_output_printf(out, ":%" PRId64 "%s", toll_case_other(c, item, i),
                           i + 1 == c->other_count ? "}" : "");
    }
    if (item != &c->all)
        put_labels(c, item, out);
    toll_output_printf(out, "}");
}

void toll_cases_json(const toll_cases *c, toll_output *out)
{
    size_t at = 0;
    uint32_t row = 0;
    toll_output_printf(out, "{\"value\":");
    toll_json_put_string(out, c->value.type);
    toll_output_printf(out, ",\"unit\":");
    toll_json_put_string(out, c->value.unit);
    toll_output_printf(out, ",\"all\":");
    put_case(c, &c->all, out);
    toll_output_printf(out, ",\"count\":%zu,\"cases\":[", c->count);
    for (const toll_case *item; (item = toll_cases_next_row(c, &at, &row));) {
        toll_output_printf(out, row > 1 ? ",\n" : "\n");
        put_case(c, item, out);
    }
    toll_output_printf(out, "]}");
}
