/* unicode_category.h - the table of Unicode's general categories: Lu, Nd, ... */
#ifndef TOLL_BASE_UNICODE_CATEGORY_H
#define TOLL_BASE_UNICODE_CATEGORY_H

#include <stddef.h>
#include <stdint.h>

extern const char toll_unicode_categories[][3];
extern const size_t toll_unicode_category_count;

/* In ascending order: first character * 32 + category. A run ends where the next one begins, the
 * last one at U+10FFFF. */
extern const uint32_t toll_unicode_runs[];
extern const size_t toll_unicode_run_count;

#endif
