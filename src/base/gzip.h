/* gzip.h - the only interface to zlib. In a build without it both creators return
 * TOLL_E_UNSUPPORTED. */
#ifndef TOLL_BASE_GZIP_H
#define TOLL_BASE_GZIP_H

#include "base/mem.h"

#include <stdint.h>

typedef struct toll_inflater toll_inflater;
typedef struct toll_deflater toll_deflater;

toll_status toll_inflater_create(const toll_mem *mem, toll_inflater **out, toll_error *err);
void toll_inflater_free(toll_inflater *inflater);

typedef enum toll_inflate_result {
    TOLL_INFLATE_MORE, /* decompressed as much as input and room allow */
    TOLL_INFLATE_END,  /* the end of a gzip member */
    TOLL_INFLATE_BAD,  /* not gzip, or its checksum is wrong */
    TOLL_INFLATE_NOMEM
} toll_inflate_result;

/* Decompress from in[*in_size] to out[*out_size]; both sizes are set to the bytes used. After
 * TOLL_INFLATE_END the next call starts a new member. */
toll_inflate_result toll_inflate(toll_inflater *inflater, const uint8_t *in, size_t *in_size,
                                 uint8_t *out, size_t *out_size);

/* Decompress a zlib stream whose decompressed size is known. Errors, without a message:
 * TOLL_E_SYNTAX (damaged, or of another size), TOLL_E_UNSUPPORTED, TOLL_E_NOMEM. */
toll_status toll_inflate_whole(const toll_mem *mem, const uint8_t *in, size_t in_size, uint8_t *out,
                               size_t out_size);

toll_status toll_deflater_create(const toll_mem *mem, toll_deflater **out, toll_error *err);
void toll_deflater_free(toll_deflater *deflater);

/* Compress in[size]; `finish`: this is the end. `put` gets the compressed bytes. The same input
 * gives the same bytes: the header has no time and no name. False if it failed. */
bool toll_deflate(toll_deflater *deflater, const void *in, size_t size, bool finish,
                  void (*put)(void *user, const void *data, size_t size), void *user);

#endif
