/* sbf_costs.c - see sbf_costs.h. The built-in costs, and reading of files that replace them. */
#include "sbf/sbf_costs.h"

#include "base/json_read.h"
#include "base/nearest.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <toll/solana.h>

/* More than any budget, so that sums of prices do not overflow. */
#define MOST_UNITS UINT64_C(1000000000000)

static const struct {
    const char *name;
    size_t place;
    uint64_t value;
} figures[] = {
#define ROW(name, value) { #name, offsetof(toll_sbf_costs, name), value },
    TOLL_SBF_COSTS(ROW)
#undef ROW
};

enum { FIGURE_COUNT = sizeof figures / sizeof *figures };

static uint64_t *figure_at(toll_sbf_costs *costs, size_t i)
{
    return (uint64_t *)((char *)costs + figures[i].place);
}

const char *toll_sbf_runtime(void)
{
    return TOLL_SBF_COSTS_RUNTIME;
}

void toll_sbf_costs_set(toll_sbf_costs *costs)
{
    *costs = (toll_sbf_costs){ .runtime = TOLL_SBF_COSTS_RUNTIME };
    for (size_t i = 0; i < FIGURE_COUNT; i++)
        *figure_at(costs, i) = figures[i].value;
}

/* --- files -------------------------------------------------------------------------------------*/

static bool read_runtime(toll_json *json, toll_sbf_costs *costs)
{
    if (!toll_json_expect(json, TOLL_JSON_STRING, "\"runtime\" must be a text: name and version"))
        return false;
    snprintf(costs->runtime, sizeof costs->runtime, "%s", toll_json_text(json));
    return *costs->runtime ||
           toll_json_fail(json, TOLL_E_SYNTAX, "\"runtime\" is empty; name the runtime");
}

static const char *name_at(const void *unused, unsigned i)
{
    (void)unused;
    return i < FIGURE_COUNT ? figures[i].name : NULL;
}

/* The number of the figure that the current key names; FIGURE_COUNT: a failure. */
static size_t find_figure(toll_json *json)
{
    char what[300];
    for (size_t i = 0; i < FIGURE_COUNT; i++)
        if (toll_json_is(json, figures[i].name))
            return i;
    const char *near = toll_nearest(toll_json_text(json), name_at, NULL, FIGURE_COUNT);
    snprintf(what, sizeof what, "no figure is called '%.100s'%s%s", toll_json_text(json),
             near ? "; the nearest name is " : "", near ? near : "");
    toll_json_fail(json, TOLL_E_SYNTAX, what);
    return FIGURE_COUNT;
}

static bool parse_units(const char *text, uint64_t *out)
{
    *out = 0;
    for (; *text >= '0' && *text <= '9' && *out <= MOST_UNITS; text++)
        *out = *out * 10 + (uint64_t)(*text - '0');
    return *text == 0 && *out <= MOST_UNITS;
}

static bool read_figure(toll_json *json, toll_sbf_costs *costs)
{
    char what[200];
    size_t i = find_figure(json);
    if (i == FIGURE_COUNT)
        return false;
    snprintf(what, sizeof what, "%s must be a whole number from 0 to 10^12", figures[i].name);
    return toll_json_expect(json, TOLL_JSON_NUMBER, what) &&
           (parse_units(toll_json_text(json), figure_at(costs, i)) ||
            toll_json_fail(json, TOLL_E_SYNTAX, what));
}

static bool read_costs(toll_json *json, toll_sbf_costs *costs)
{
    toll_json_token token;
    if (!toll_json_expect(json, TOLL_JSON_OBJECT, "\"costs\" must be an object: figures by name"))
        return false;
    while ((token = toll_json_next(json)) == TOLL_JSON_KEY)
        if (!read_figure(json, costs))
            return false;
    return token == TOLL_JSON_OBJECT_END;
}

static bool read_file(toll_json *json, toll_sbf_costs *costs)
{
    bool has_runtime = false;
    toll_json_token token;
    if (!toll_json_expect(json, TOLL_JSON_OBJECT,
                          "a table of costs is an object with \"runtime\" and \"costs\""))
        return false;
    while ((token = toll_json_next(json)) == TOLL_JSON_KEY) {
        bool is_runtime = toll_json_is(json, "runtime");
        has_runtime |= is_runtime;
        if (is_runtime ? !read_runtime(json, costs)
            : toll_json_is(json, "costs")
                ? !read_costs(json, costs)
                : !toll_json_fail(json, TOLL_E_SYNTAX,
                                  "a table of costs has \"runtime\" and \"costs\" alone"))
            return false;
    }
    if (token != TOLL_JSON_OBJECT_END || !toll_json_expect(json, TOLL_JSON_END, "the file goes on"))
        return false;
    return has_runtime || toll_json_fail(json, TOLL_E_SYNTAX,
                                         "there is no \"runtime\"; say whose costs these are, as "
                                         "in \"agave 2.1.0\"");
}

bool toll_sbf_costs_read(toll_sbf_costs *costs, toll_input *in, toll_failure *failure)
{
    toll_json json;
    toll_json_begin(&json, in, failure);
    bool good = read_file(&json, costs);
    toll_json_free(&json);
    return good;
}
