/* function_definitions.c - see function_definitions.h. */
#include "function_definitions.h"

#include "tools.h"
#include "wasm/wasm_module.h"

#include <string.h>
#include <toll/embedder.h>

static char *given; /* see host_define; NULL: none */

void host_define(char *text)
{
    given = text && *text ? text : NULL;
}

/* --- in the embedder's text --------------------------------------------------------------------*/

/* Read a number, and the space that follows it. */
static uint64_t read_number(char **text)
{
    uint64_t value = 0;
    for (; **text >= '0' && **text <= '9'; ++*text)
        value = value * 10 + (uint64_t)(**text - '0');
    *text += **text == ' ';
    return value;
}

/* Find the line of the text for an address. Each line is read once, since functions come in order
 * of addresses. */
static const char *find_in_text(char **text, uint64_t address, uint32_t *line)
{
    while (*text && **text) {
        char *at = *text, *end = strchr(at, '\n');
        uint64_t first = read_number(&at), behind = read_number(&at);
        if (first > address || !end)
            return NULL;
        *text = end + 1;
        if (address >= behind)
            continue;
        *line = (uint32_t)read_number(&at);
        *end = 0;
        return at;
    }
    return NULL;
}

/* --- in DWARF ----------------------------------------------------------------------------------*/

static bool has_dwarf(const void *data, size_t size, const char *name)
{
    const toll_mem mem = toll_mem_from(NULL);
    toll_wasm_module m;
    bool has = !toll_wasm_module_read(&m, &mem, name, data, size, NULL) &&
               toll_wasm_find_custom(&m, ".debug_info");
    toll_wasm_module_free(&m);
    return has;
}

static toll_status read_dwarf(const void *data, size_t size, const char *name, toll_debug **out)
{
    toll_input *in;
    toll_status status = toll_input_from_memory(NULL, data, size, name, &in, host_error());
    if (status)
        return status;
    status = toll_debug_read_functions(NULL, in, out, host_error());
    toll_input_free(in);
    return status == TOLL_E_NOMEM ? status : TOLL_OK;
}

/* --- both --------------------------------------------------------------------------------------*/

toll_status host_begin_definitions(const void *data, size_t size, const char *name,
                                   host_definitions *out)
{
    *out = (host_definitions){ given, NULL };
    given = NULL;
    return out->text || !has_dwarf(data, size, name) ? TOLL_OK
                                                     : read_dwarf(data, size, name, &out->debug);
}

const char *host_find_definition(void *user, uint32_t function, uint64_t address, uint32_t *line)
{
    host_definitions *d = user;
    toll_debug_function f;
    (void)function;
    if (!d->debug)
        return find_in_text(&d->text, address, line);
    if (!toll_debug_find_function(d->debug, address, &f) || !*f.file)
        return NULL;
    *line = f.line;
    return f.file;
}

void host_end_definitions(host_definitions *definitions)
{
    toll_debug_free(definitions->debug);
    definitions->debug = NULL;
}
