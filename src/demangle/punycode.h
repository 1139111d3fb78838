/* punycode.h - decodes punycode, with which symbols encode non-ASCII text. */
#ifndef TOLL_DEMANGLE_PUNYCODE_H
#define TOLL_DEMANGLE_PUNYCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOLL_PUNYCODE_MOST = 128 };

/* Decode text[size], which is punycode with _ instead of the last -. `characters` has room for
 * TOLL_PUNYCODE_MOST; *count receives their number. False: it is damaged, or longer.
 * https://www.rfc-editor.org/rfc/rfc3492 */
bool toll_punycode_decode(const char *text, size_t size, uint32_t *characters, size_t *count);

#endif
