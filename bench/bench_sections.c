/* bench_sections.c - n sections that all cross each other, and n nested sections: the cost of
 * beginning and ending them and of computing their nets; for n up to 10^4 also by a quadratic
 * algorithm. bench_sections [N]: up to N, default a million. */
#include "bench.h"

enum { QUADRATIC_UP_TO = 10000 };

static uint64_t sink;

/* The measure of the content of each section, found by examining all others: the ends of those
 * inside are merged as intervals. Sections are given in the order in which they began. */
static double quadratic(size_t n, int crossing)
{
    double start = bench_now();
    for (size_t i = 0; i < n; i++) {
        uint64_t end_i = crossing ? n + i : 2 * n - i, covered = 0, covered_to = i;
        for (size_t j = i + 1; j < n; j++) {
            uint64_t end_j = crossing ? n + j : 2 * n - j;
            if (end_j >= end_i || end_j <= covered_to)
                continue;
            covered += end_j - (j > covered_to ? j : covered_to);
            covered_to = end_j;
        }
        sink += end_i - i - covered;
    }
    return bench_now() - start;
}

static void event(toll_sections *s, size_t i, uint64_t now, int is_begin)
{
    char id[24];
    size_t size = (size_t)snprintf(id, sizeof id, "%zu", i);
    bench_ok((is_begin ? toll_sections_begin : toll_sections_end)(s, id, size, NULL, &now, NULL));
}

/* Seconds for the events; *pop: for the end of the scope. */
static double sections(size_t n, int crossing, double *pop)
{
    toll_sections_options o = { .size = sizeof o };
    toll_sections *s;
    toll_section_results results;
    uint64_t now = 0;
    bench_ok(toll_sections_create(&o, &s, NULL));
    double start = bench_now();
    for (size_t i = 0; i < n; i++)
        event(s, i, now++, 1);
    for (size_t i = 0; i < n; i++)
        event(s, crossing ? i : n - 1 - i, now++, 0);
    double middle = bench_now();
    bench_ok(toll_sections_pop(s, &now, &results, NULL));
    *pop = bench_now() - middle;
    sink += results.ended[0].net;
    toll_sections_free(s);
    return middle - start;
}

int main(int argc, char **argv)
{
    size_t most = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 1000000;
    printf("sections: ns a section for its two events, and to work it out; the quadratic way\n");
    for (int crossing = 0; crossing < 2; crossing++)
        for (size_t n = 100; n <= most; n *= 10) {
            double pop, events = sections(n, crossing, &pop), each = 1e9 / (double)n;
            printf("  %7zu %-8s %6.0f %6.0f", n, crossing ? "crossing" : "nested", events * each,
                   pop * each);
            if (n <= QUADRATIC_UP_TO)
                printf(" %10.0f", quadratic(n, crossing) * each);
            printf("\n");
        }
    return sink == 1; /* keeps the compiler from removing the work */
}
