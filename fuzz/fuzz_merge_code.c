/* fuzz_merge_code.c - fuzzes merges of three profiles: in any order the file has the same bytes,
 * and each column sums up to the sums of the three. */
#include "fuzz_profile.h"

enum { PROFILES = 3 };

static toll_output *merge(const toll_allocator *a, toll_profile *const *profiles, size_t first,
                          size_t step, const toll_profile **all)
{
    toll_profile *sum;
    fuzz_require(toll_profile_create(a, &sum, NULL) == TOLL_OK, "no profile");
    *all = sum;
    for (size_t i = 0; i < PROFILES; i++)
        if (toll_profile_merge(sum, profiles[(first + i * step) % PROFILES], NULL))
            return NULL; /* the sum overflows */
    fuzz_see_profile(a, sum);
    return fuzz_write(a, sum, "pprof");
}

static void hold_sums(const toll_profile *sum, toll_profile *const *profiles)
{
    for (uint32_t c = 0; c < toll_profile_column_count(sum); c++) {
        uint64_t wanted = 0;
        for (size_t i = 0; i < PROFILES; i++) {
            uint32_t column =
                toll_profile_find_value_type(profiles[i], toll_profile_column(sum, c));
            wanted += column == TOLL_NONE ? 0 : fuzz_sum(profiles[i], column);
        }
        fuzz_require(fuzz_sum(sum, c) == wanted, "another sum");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_profile *profiles[PROFILES];
    const toll_profile *forth, *back;
    for (size_t i = 0; i < PROFILES; i++)
        profiles[i] = fuzz_profile(&a, fuzz_part(data, size, i, PROFILES));
    toll_output *x = merge(&a, profiles, 0, 1, &forth), *y = merge(&a, profiles, 1, 2, &back);
    if (x && y) {
        size_t n, m;
        const void *first = toll_output_data(x, &n), *second = toll_output_data(y, &m);
        fuzz_require(n == m && memcmp(first, second, n) == 0, "other bytes in another order");
        hold_sums(forth, profiles);
    }
    toll_output_free(x);
    toll_output_free(y);
    toll_profile_free((toll_profile *)forth);
    toll_profile_free((toll_profile *)back);
    for (size_t i = 0; i < PROFILES; i++)
        toll_profile_free(profiles[i]);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
