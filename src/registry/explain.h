/* explain.h - explains why no format recognises a file, by what it contains. */
#ifndef TOLL_REGISTRY_EXPLAIN_H
#define TOLL_REGISTRY_EXPLAIN_H

#include "format/format_row.h"

/* Fail with a message about the content data[size], the first bytes of the file `name`. `formats`
 * lists the formats that can be read. TOLL_OK, without a message, if the name suggests a format:
 * its reader has a better message, since it finds where the file is damaged. */
toll_status toll_explain_content(const char *name, const uint8_t *data, size_t size,
                                 const char *formats, toll_error *err);

#endif
