/* anchor_case.h - the two spellings of an instruction's name that Anchor's programs use. */
#ifndef TOLL_SOLANA_ANCHOR_CASE_H
#define TOLL_SOLANA_ANCHOR_CASE_H

#include "base/buffer.h"

/* Append text[size] as it is hashed, in snake case: swapBaseIn is swap_base_in. False: no memory.
 */
bool toll_append_snake(toll_buffer *out, const char *text, size_t size);

/* The same as programs log it: swap_base_in and swapBaseIn are SwapBaseIn. */
bool toll_append_pascal(toll_buffer *out, const char *text, size_t size);

#endif
