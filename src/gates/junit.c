/* junit.c - writes verdicts as JUnit's XML, and as CTest's. See ci_reports.h. There are no times in
 * it: equal results make equal files. */
#include "gates/ci_reports.h"

#include "base/printable.h"
#include "base/xml_write.h"

#include <inttypes.h>
#include <string.h>
#include <toll/report.h>

static void put_attribute(toll_output *out, const char *name, const char *text)
{
    toll_output_printf(out, " %s=\"", name);
    toll_xml_put_text(out, text);
    toll_output_printf(out, "\"");
}

/* A piece of a class's name: a dot in it would begin another package. */
static void put_class_piece(void *out, const char *text, size_t size)
{
    while (size) {
        size_t n = *text == '.' ? 1 : toll_xml_put_character(out, text, size);
        if (*text == '.')
            toll_output_write(out, "_", 1);
        text += n;
        size -= n;
    }
}

static void put_counts(const toll_verdicts *v, toll_output *out)
{
    toll_output_printf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", v->count,
                       toll_verdicts_count(v, TOLL_VERDICT_FAILS),
                       toll_verdicts_count(v, TOLL_VERDICT_ERROR));
}

/* Why it fails: the first line as the message, all lines as the text. */
static void put_failure(const toll_verdicts *v, const toll_verdict *item, toll_output *out)
{
    bool is_error = item->state == TOLL_VERDICT_ERROR;
    const char *element = is_error ? "error" : "failure";
    const toll_finding *finding = &v->findings->items[item->finding];
    const char *line = toll_finding_line(v->findings, finding, 0);
    toll_output_printf(out, "<%s type=\"%s\"", element, is_error ? "not compared" : "limit");
    put_attribute(out, "message", line);
    toll_output_printf(out, ">");
    for (uint32_t n = 0; n < finding->lines; n++, line += strlen(line) + 1) {
        toll_xml_put_text(out, line);
        toll_output_printf(out, "%s", n + 1 < finding->lines ? "\n" : "");
    }
    toll_output_printf(out, "</%s>\n", element);
}

static void put_figure(const toll_verdict *item, const char *before, int64_t value,
                       toll_output *out)
{
    char text[TOLL_VALUE_TEXT_SIZE];
    toll_output_printf(out, "%s", before);
    toll_xml_put_text(out, toll_value_text(value, item->type.unit, text));
}

/* What was measured, and what is allowed. */
static void put_value(const toll_verdict *item, toll_output *out)
{
    put_figure(item, "<system-out>", item->value, out);
    if (item->has_before)
        put_figure(item, ", before: ", item->before, out);
    if (item->least != INT64_MIN)
        put_figure(item, ", at least: ", item->least, out);
    if (item->most != INT64_MAX)
        put_figure(item, ", at most: ", item->most, out);
    toll_output_printf(out, "</system-out>\n");
}

static void put_case(const toll_verdicts *v, const toll_verdict *item, toll_output *out)
{
    toll_output_printf(out, "<testcase classname=\"toll.");
    toll_put_printable(v->suite, strlen(v->suite), put_class_piece, out);
    toll_output_printf(out, "\"");
    put_attribute(out, "name", item->name);
    toll_output_printf(out, ">\n");
    if (item->finding != TOLL_NO_FINDING)
        put_failure(v, item, out);
    if (item->state == TOLL_VERDICT_SKIPPED)
        toll_output_printf(out, "<skipped>%s</skipped>\n",
                           item->line ? "left out: optional, and nothing matches it; or not about "
                                        "these tests (--partial)"
                                      : "new: there is nothing to compare it with");
    if (item->has_value)
        put_value(item, out);
    toll_output_printf(out, "</testcase>\n");
}

void toll_verdicts_put_junit(const toll_verdicts *v, toll_output *out)
{
    toll_output_printf(out,
                       "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"toll\"");
    put_counts(v, out);
    toll_output_printf(out, ">\n<testsuite");
    put_attribute(out, "name", v->suite);
    put_counts(v, out);
    toll_output_printf(out, " skipped=\"%zu\">\n", toll_verdicts_count(v, TOLL_VERDICT_SKIPPED));
    for (size_t i = 0; i < v->count; i++)
        put_case(v, &v->items[i], out);
    toll_output_printf(out, "</testsuite>\n</testsuites>\n");
}

void toll_verdicts_put_ctest(const toll_verdicts *v, toll_output *out)
{
    for (size_t i = 0; i < v->count; i++) {
        const toll_verdict *item = &v->items[i];
        if (!item->has_value)
            continue;
        toll_output_printf(out, "<CTestMeasurement type=\"numeric/double\"");
        put_attribute(out, "name", item->name);
        toll_output_printf(out, ">%" PRId64 "</CTestMeasurement>\n", item->value);
    }
}
