/* solana_bytes.h - encodes and decodes the forms of bytes in the JSON of RPC nodes: base58 and
 * base64. */
#ifndef TOLL_SOLANA_SOLANA_BYTES_H
#define TOLL_SOLANA_SOLANA_BYTES_H

#include "base/buffer.h"

enum {
    SOLANA_ID_SIZE = 32,           /* bytes of an address */
    SOLANA_ID_TEXT = 45,           /* characters of an address in base58, at most, with the NUL */
    SOLANA_SIGNATURE_SIZE = 64,    /* bytes */
    SOLANA_SIGNATURE_TEXT = 89,    /* characters of a signature, likewise */
    SOLANA_MOST_BASE58 = 16 * 1024 /* characters that are decoded; the time grows with their
                                    * square */
};

/* Append the bytes of text[size]. False: it is not base64 or base58, or too long; or no memory, and
 * out->failed is set. Then the appended bytes are undefined. */
bool toll_base58_decode(const char *text, size_t size, toll_buffer *out);
bool toll_base64_decode(const char *text, size_t size, toll_buffer *out);

/* Is text[size] an address, that is 32 bytes in base58? */
bool toll_base58_is_id(const char *text, size_t size);

/* Write the text of data[size], at most SOLANA_SIGNATURE_SIZE bytes, with a NUL. `out` has room for
 * SOLANA_ID_TEXT characters of an address, or SOLANA_SIGNATURE_TEXT of a signature. */
void toll_base58_encode(const uint8_t *data, size_t size, char *out);

#endif
