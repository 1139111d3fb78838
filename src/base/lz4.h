/* lz4.h - compresses bytes in memory as a block of LZ4, and unpacks one. It is for what `toll.wasm`
 * has to read, too, which has no zlib.
 * https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md */
#ifndef TOLL_BASE_LZ4_H
#define TOLL_BASE_LZ4_H

#include "base/buffer.h"

/* Append a block of data[size], fewer than 2^31 bytes. The same bytes give the same block on every
 * system. A failure (no memory) is recorded in the buffer. */
void toll_lz4_append(toll_buffer *out, const uint8_t *data, size_t size);

/* Unpack the block in[in_size] to out[out_size], which it must fill. False: it is damaged, or of
 * another size. */
bool toll_lz4_unpack(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size);

/* A block of so many bytes unpacks to at most this many times as many. */
enum { TOLL_LZ4_MOST_GROWTH = 255 };

#endif
