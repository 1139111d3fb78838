/* fingerprint.h - hashes code, to compare two pieces of code that have no build id. */
#ifndef TOLL_BASE_FINGERPRINT_H
#define TOLL_BASE_FINGERPRINT_H

#include <stddef.h>

enum { TOLL_FINGERPRINT_SIZE = 17 };

/* Write a hash of the bytes to `out`, as 16 hexadecimal digits and a NUL. It is the same on every
 * machine and in every version, because it is stored in files. It detects mistakes, not forgery.
 * */
void toll_fingerprint(const void *bytes, size_t size, char out[TOLL_FINGERPRINT_SIZE]);

#endif
