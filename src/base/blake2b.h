/* blake2b.h - computes the hash BLAKE2b (RFC 7693) of bytes in memory, of 8 bytes. */
#ifndef TOLL_BASE_BLAKE2B_H
#define TOLL_BASE_BLAKE2B_H

#include <stddef.h>
#include <stdint.h>

/* The hash as a number: its first byte is the least significant one. */
uint64_t toll_blake2b_8(const void *data, size_t size);

#endif
