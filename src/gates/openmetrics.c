/* openmetrics.c - writes verdicts as OpenMetrics. See ci_reports.h. Values are integers of 64 bits;
 * readers that use floating point round those above 2^53. */
#include "gates/ci_reports.h"

#include "base/printable.h"

#include <inttypes.h>
#include <string.h>

typedef struct gauge {
    const char *name, *help;
    bool (*of)(const toll_verdict *item, int64_t *value); /* false: it has none */
} gauge;

static bool get_value(const toll_verdict *item, int64_t *value)
{
    *value = item->value;
    return item->has_value;
}

static bool get_before(const toll_verdict *item, int64_t *value)
{
    *value = item->before;
    return item->has_before;
}

static bool get_least(const toll_verdict *item, int64_t *value)
{
    *value = item->least;
    return item->least != INT64_MIN;
}

static bool get_most(const toll_verdict *item, int64_t *value)
{
    *value = item->most;
    return item->most != INT64_MAX;
}

static bool get_failed(const toll_verdict *item, int64_t *value)
{
    *value = item->finding != TOLL_NO_FINDING;
    return true;
}

static const gauge gauges[] = {
    { "toll_value", "What was measured.", get_value },
    { "toll_before", "What it was in the profile that was compared with.", get_before },
    { "toll_least", "The least that is allowed.", get_least },
    { "toll_most", "The most that is allowed.", get_most },
    { "toll_failed", "1 where a limit is exceeded, or nothing was compared.", get_failed },
};

/* A backslash and a quotation mark get a backslash; line ends are escapes by now. */
static void put_piece(void *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\\' || text[i] == '"')
            toll_output_write(out, "\\", 1);
        toll_output_write(out, &text[i], 1);
    }
}

static void put_label(toll_output *out, const char *name, const char *text)
{
    toll_output_printf(out, "%s=\"", name);
    toll_put_printable(text, strlen(text), put_piece, out);
    toll_output_printf(out, "\"");
}

static void put_gauge(const toll_verdicts *v, const gauge *g, toll_output *out)
{
    toll_output_printf(out, "# TYPE %s gauge\n# HELP %s %s\n", g->name, g->name, g->help);
    for (size_t i = 0; i < v->count; i++) {
        const toll_verdict *item = &v->items[i];
        int64_t value;
        if (!g->of(item, &value))
            continue;
        toll_output_printf(out, "%s{", g->name);
        put_label(out, "suite", v->suite);
        put_label(out, ",name", item->name);
        if (item->type.type) {
            put_label(out, ",type", item->type.type);
            put_label(out, ",unit", item->type.unit);
        }
        toll_output_printf(out, "} %" PRId64 "\n", value);
    }
}

void toll_verdicts_put_openmetrics(const toll_verdicts *v, toll_output *out)
{
    for (size_t i = 0; i < sizeof gauges / sizeof *gauges; i++)
        put_gauge(v, &gauges[i], out);
    toll_output_printf(out, "# EOF\n");
}
