/* fuzz_pattern_code.c - fuzzes patterns: the first line is a pattern, or is refused with a message;
 * the other lines are names. Each name has the same answer when the pattern's table is full of the
 * others' states, and the work is bounded. */
#include "fuzz_format.h"

#include "base/pattern.h"

enum { MOST = 64 };

static toll_pattern *parse(const toll_allocator *a, const char *text)
{
    toll_error err = { TOLL_OK, "" };
    toll_pattern *pattern;
    toll_status status = toll_pattern_parse(&pattern, a, text, &err);
    fuzz_require(!status == (pattern != NULL), "a pattern with a failure");
    fuzz_require(!status || err.text[0], "a failure without a message");
    fuzz_see_failure(status, &err);
    return pattern;
}

/* Match the lines of `text`; answers[] has the first ones. */
static bool match_all(toll_pattern *pattern, char *text, bool *answers)
{
    size_t n = 0;
    for (char *name = text, *end; name; name = end ? end + 1 : NULL) {
        end = strchr(name, '\n');
        if (end)
            *end = 0;
        bool is = toll_pattern_matches(pattern, name);
        if (n < MOST)
            answers[n++] = is;
        if (end)
            *end = '\n';
    }
    return toll_pattern_check(pattern, NULL) == TOLL_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    bool first[MOST] = { false }, second[MOST] = { false };
    char *text = malloc(size + 1);
    fuzz_require(text != NULL, "no memory");
    memcpy(text, data, size);
    text[size] = 0;
    char *names = strchr(text, '\n');
    if (names)
        *names++ = 0;
    toll_pattern *pattern = parse(&a, text);
    if (pattern && names && match_all(pattern, names, first) && match_all(pattern, names, second))
        fuzz_require(!memcmp(first, second, sizeof first), "another answer");
    fuzz_see("answers", first, sizeof first);
    toll_pattern_free(pattern);
    free(text);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
