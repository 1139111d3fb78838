/* value_text.c - prints values with their unit. See report.h. No floating point is used. */

#include <stdio.h>
#include <string.h>
#include <toll/report.h>

#include "report/report_text.h"

/* 1234567 -> "1,234,567" at the end of text[size]; returns where it begins. */
static char *grouped(uint64_t v, char *text, size_t size)
{
    char *p = text + size - 1;
    int n = 0;
    *p = 0;
    do {
        if (n && n % 3 == 0)
            *--p = ',';
        *--p = (char)('0' + v % 10);
        v /= 10;
        n++;
    } while (v);
    return p;
}

/* Nanoseconds in the largest unit in which the number is at least 1: "1.23 ms". */
static void time_text(const char *sign, uint64_t ns, char text[TOLL_VALUE_TEXT_SIZE])
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = { { "s", 1000000000 }, { "ms", 1000000 }, { "\xc2\xb5s", 1000 } };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        uint64_t hundredth = units[i].ns / 100;
        uint64_t v = ns / hundredth + (ns % hundredth * 2 >= hundredth);
        if (v < 100 || ns < 1000)
            continue;
        char number[32];
        snprintf(text, TOLL_VALUE_TEXT_SIZE, "%s%s.%02u %s", sign,
                 grouped(v / 100, number, sizeof number), (unsigned)(v % 100), units[i].name);
        return;
    }
    snprintf(text, TOLL_VALUE_TEXT_SIZE, "%s%u ns", sign, (unsigned)ns);
}

/* " B", " CU", nothing for counts. Units come from files: long ones are cut. */
static void append_unit(char *text, const char *unit)
{
    enum { MOST = 13 }; /* with the NUL */
    const char *shown = strcmp(unit, "bytes") == 0 ? "B" : strcmp(unit, "count") == 0 ? "" : unit;
    size_t used = strlen(text);
    if (!*shown)
        return;
    text[used++] = ' ';
    toll_printable(shown, text + used, MOST);
}

uint64_t toll_unit_ns(const char *unit)
{
    static const struct {
        const char *unit;
        uint64_t ns;
    } times[] = { { "nanoseconds", 1 },
                  { "microseconds", 1000 },
                  { "milliseconds", 1000000 },
                  { "seconds", 1000000000 } };
    for (size_t i = 0; unit && i < sizeof times / sizeof *times; i++)
        if (strcmp(unit, times[i].unit) == 0)
            return times[i].ns;
    return 0;
}

const char *toll_value_text(int64_t value, const char *unit, char text[TOLL_VALUE_TEXT_SIZE])
{
    const char *sign = value < 0 ? "-" : "";
    unit = unit ? unit : "";
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value, ns = toll_unit_ns(unit);
    char number[32];
    if (ns && magnitude <= UINT64_MAX / ns) {
        time_text(sign, magnitude * ns, text);
        return text;
    }
    snprintf(text, TOLL_VALUE_TEXT_SIZE, "%s%s", sign, grouped(magnitude, number, sizeof number));
    append_unit(text, unit);
    return text;
}
