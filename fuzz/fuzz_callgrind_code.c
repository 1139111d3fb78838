/* fuzz_callgrind_code.c - fuzzes callgrind's files: read as its specification says, self costs sum
 * up to the profile's in every event, and to the file's own summary. */
#include "fuzz_profile.h"

typedef struct sums {
    int64_t self[TOLL_MAX_COLUMNS], summary[TOLL_MAX_COLUMNS];
    int count;
} sums;

/* Read numbers up to the end of the line, and add them. */
static void add_numbers(const char *at, const char *end, int64_t *to, int *count)
{
    int i = 0;
    while (at < end) {
        char *next;
        long long v = strtoll(at, &next, 10);
        fuzz_require(next > at && i < TOLL_MAX_COLUMNS, "a number that is none");
        fuzz_require(!__builtin_add_overflow(to[i], v, &to[i]), "a sum that does not fit");
        i++;
        at = next;
    }
    *count = i;
}

static int begins(const char *line, size_t size, const char *with)
{
    return size >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

/* Read the lines of the file. The line after `calls=` has the cost of the calls, which is not the
 * function's own. */
static sums read_file(const char *text, size_t size)
{
    sums s = { .count = 0 };
    int inclusive = 0, count = 0;
    const char *end = text + size, *next;
    for (const char *line = text; line < end; line = next) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        fuzz_require(stop != NULL, "a line without an end");
        next = stop + 1;
        size_t length = (size_t)(stop - line);
        if (begins(line, length, "summary: "))
            add_numbers(line + 9, stop, s.summary, &s.count);
        else if (begins(line, length, "calls="))
            inclusive = 1;
        else if (length && *line >= '0' && *line <= '9') {
            const char *costs = memchr(line, ' ', length);
            if (!inclusive && costs) {
                add_numbers(costs, stop, s.self, &count);
                fuzz_require(count == s.count, "another number of events");
            }
            inclusive = 0;
        }
    }
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_profile *p = fuzz_profile(&a, fuzz_part(data, size, 0, 1));
    toll_output *out = fuzz_write(&a, p, "callgrind");
    if (out) {
        const char *text = toll_output_data(out, &size);
        fuzz_see("callgrind", text, size);
        fuzz_require_printable(text, size);
        sums s = read_file(text, size);
        for (int i = 0; i < s.count; i++)
            fuzz_require(s.self[i] == s.summary[i], "another sum than the summary's");
    }
    toll_output_free(out);
    toll_profile_free(p);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
