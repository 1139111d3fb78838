/* sha256.h - computes the hash SHA-256 (FIPS 180-4) of bytes in memory. */
#ifndef TOLL_BASE_SHA256_H
#define TOLL_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { TOLL_SHA256_SIZE = 32 };

void toll_sha256(const void *data, size_t size, uint8_t hash[TOLL_SHA256_SIZE]);

#endif
