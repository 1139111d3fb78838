/* explain.h - what a file is that no format takes for its own. */
#ifndef TOLL_REGISTRY_EXPLAIN_H
#define TOLL_REGISTRY_EXPLAIN_H

#include "format/format_row.h"

/* Fails with a message that fits the content data[size], the first bytes of the file `name`, where
 * no reader would have a better one: `formats` lists those that can be read. TOLL_OK, without a
 * message: let the reader of what the name says tell where the file is damaged, if there is one. */
toll_status toll_explain_content(const char *name, const uint8_t *data, size_t size,
                                 const char *formats, toll_error *err);

#endif
