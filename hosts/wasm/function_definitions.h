/* function_definitions.h - finds where a module's functions are defined, for its section "toll".
 *
 * The source is the text that the embedder has given (define); without one, the module's own DWARF.
 */
#ifndef TOLL_HOSTS_WASM_FUNCTION_DEFINITIONS_H
#define TOLL_HOSTS_WASM_FUNCTION_DEFINITIONS_H

#include <stddef.h>
#include <toll/debug.h>

typedef struct host_definitions {
    char *text;        /* the lines that are still to be read; NULL: there is no text */
    toll_debug *debug; /* NULL: the module has no DWARF, or there is a text */
} host_definitions;

/* Begin with the module data[size]. Damaged DWARF is ignored, since names of functions are enough
 * to record. But a lack of memory is an error (TOLL_E_NOMEM): the instrumented module must not
 * depend on how much memory there is. */
toll_status host_begin_definitions(const void *data, size_t size, const char *name,
                                   host_definitions *out);

/* The file and line of a function's definition, as toll_wasm_options.define; `user` is a
 * host_definitions. The functions come in order of their addresses. */
const char *host_find_definition(void *user, uint32_t function, uint64_t address, uint32_t *line);

void host_end_definitions(host_definitions *definitions);

#endif
