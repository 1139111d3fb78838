/* tools.h - the parts of the interface that need no recording: memory, the last error and the last
 * result, which it owns. */
#ifndef TOLL_HOSTS_WASM_TOOLS_H
#define TOLL_HOSTS_WASM_TOOLS_H

#include <toll/embedder.h>
#include <toll/toll.h>

/* The last error. Each failure is stored here, and error_text() returns its text. */
toll_error *host_error(void);

/* Begin a new result, and free the old one. */
toll_status host_new_result(void);

/* The result that was begun last; NULL: none. */
toll_output *host_result(void);

#endif
