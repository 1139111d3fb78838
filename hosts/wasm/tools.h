/* tools.h - what needs no recording: memory, the last error, the last result. Owns the two. */
#ifndef TOLL_HOSTS_WASM_TOOLS_H
#define TOLL_HOSTS_WASM_TOOLS_H

#include <toll/embedder.h>
#include <toll/toll.h>

/* Where each failure is reported: error_text() returns its text. */
toll_error *host_error(void);

/* Begin a new result; the old one is gone. */
toll_status host_new_result(void);

/* The result that was begun last; NULL: none. */
toll_output *host_result(void);

#endif
