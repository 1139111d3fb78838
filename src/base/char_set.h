/* char_set.h - sets of characters, stored as ranges. A byte that is not UTF-8 counts as a character
 * of its own, with a number above Unicode's. */
#ifndef TOLL_BASE_CHAR_SET_H
#define TOLL_BASE_CHAR_SET_H

#include "base/mem.h"

#include <stdint.h>

#define TOLL_CHAR_BYTES UINT32_C(0x110000) /* + the byte that is not UTF-8 */
#define TOLL_CHAR_LAST (TOLL_CHAR_BYTES + 255)

typedef struct toll_char_range {
    uint32_t first, last;
} toll_char_range;

/* All zero: empty. */
typedef struct toll_char_set {
    toll_char_range *ranges;
    size_t count, capacity;
} toll_char_set;

/* These return false if there is no memory. */
bool toll_char_set_add(toll_char_set *set, const toll_mem *mem, uint32_t first, uint32_t last);
bool toll_char_set_join(toll_char_set *set, const toll_mem *mem, const toll_char_set *other);

/* Add \d, \w or \s (lower-case letter), or all other characters (upper-case letter). */
bool toll_char_set_add_letter(toll_char_set *set, const toll_mem *mem, char letter);

/* Add a POSIX class (alpha, digit, ...) of ASCII. *known: is there such a class? */
bool toll_char_set_add_posix(toll_char_set *set, const toll_mem *mem, const char *name, size_t size,
                             bool *known);

/* Add a general category of Unicode: L, Lu, ... *known: is there such a category? */
bool toll_char_set_add_category(toll_char_set *set, const toll_mem *mem, const char *name,
                                size_t size, bool *known);

/* Sort the ranges, and join those that touch. */
void toll_char_set_sort(toll_char_set *set);
/* Replace the set by all other characters. The result is sorted. */
bool toll_char_set_invert(toll_char_set *set, const toll_mem *mem);
void toll_char_set_free(toll_char_set *set, const toll_mem *mem);

#endif
