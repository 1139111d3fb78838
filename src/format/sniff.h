/* sniff.h - recognises JSON formats by words in the first bytes. */
#ifndef TOLL_FORMAT_SNIFF_H
#define TOLL_FORMAT_SNIFF_H

#include "format/format_row.h"

/* SURE if the text is JSON and contains `word` and `other`, LIKELY with one of them, else NO.
 * `other` may be NULL: `word` alone makes it sure. */
toll_sniff toll_sniff_json(const uint8_t *data, size_t size, const char *word, const char *other);

#endif
