/* solana_bytes.h - bytes as the JSON of RPC nodes has them: in base58 and in base64. */
#ifndef TOLL_SOLANA_SOLANA_BYTES_H
#define TOLL_SOLANA_SOLANA_BYTES_H

#include "base/buffer.h"

enum {
    SOLANA_ID_SIZE = 32,           /* bytes of an address */
    SOLANA_ID_TEXT = 45,           /* characters of one in base58, at most, with the NUL */
    SOLANA_SIGNATURE_SIZE = 64,    /* bytes */
    SOLANA_SIGNATURE_TEXT = 89,    /* as above */
    SOLANA_MOST_BASE58 = 16 * 1024 /* characters that are decoded: the time is their square */
};

/* Append the bytes of text[size]. False: it is not base64 or base58, is too long, or there was no
 * memory, in which case out->failed is set; what was appended then is undefined. */
bool toll_base58_decode(const char *text, size_t size, toll_buffer *out);
bool toll_base64_decode(const char *text, size_t size, toll_buffer *out);

/* Is text[size] an address, that is 32 bytes in base58? */
bool toll_base58_is_id(const char *text, size_t size);

/* The text of data[size], at most SOLANA_SIGNATURE_SIZE bytes, with a NUL: `out` has room for
 * SOLANA_ID_TEXT characters of an address, SOLANA_SIGNATURE_TEXT of a signature. */
void toll_base58_encode(const uint8_t *data, size_t size, char *out);

#endif
