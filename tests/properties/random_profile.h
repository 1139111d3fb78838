/* random_profile.h - makes random profiles, and prints the parts that a format keeps as text, for
 * comparison. */
#ifndef TOLL_TESTS_RANDOM_PROFILE_H
#define TOLL_TESTS_RANDOM_PROFILE_H

#include <toll/toll.h>

/* A number below n, and an odd name of a few pieces, from a generator of our own: the same on every
 * machine. */
uint32_t random_below(uint64_t *state, uint32_t n);
const char *random_name(uint64_t *state, char *room, size_t size);

/* The profile of that number, the caller's to free: odd names, recursion, threads, columns,
 * negative values, kinds, files and lines; now and then with nothing at all in it. */
toll_profile *random_profile(unsigned seed);

/* All stacks with a value, a line each, sorted, with what `format` keeps of them; malloc's. A
 * format without files and lines knows frames by their labels (profile/order.h). */
char *kept_of(const toll_profile *p, const toll_format *format);

/* The lines that only one of the two has. */
void print_difference(unsigned seed, const char *way, const char *wanted, const char *got);

#endif
