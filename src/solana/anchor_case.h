/* anchor_case.h - converts between the two spellings of an instruction's name that Anchor's
 * programs use. */
#ifndef TOLL_SOLANA_ANCHOR_CASE_H
#define TOLL_SOLANA_ANCHOR_CASE_H

#include "base/buffer.h"

/* Append text[size] in snake case, the form that is hashed: swapBaseIn is swap_base_in. False: no
 * memory. */
bool toll_append_snake(toll_buffer *out, const char *text, size_t size);

/* Append it in Pascal case, the form that programs log: swap_base_in and swapBaseIn are
 * SwapBaseIn. */
bool toll_append_pascal(toll_buffer *out, const char *text, size_t size);

#endif
