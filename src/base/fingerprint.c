/* fingerprint.c - see fingerprint.h. The hash is FNV-1a of 64 bits. */
#include "base/fingerprint.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

void toll_fingerprint(const void *bytes, size_t size, char out[TOLL_FINGERPRINT_SIZE])
{
    const uint8_t *p = bytes;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    snprintf(out, TOLL_FINGERPRINT_SIZE, "%016" PRIx64, hash);
}
