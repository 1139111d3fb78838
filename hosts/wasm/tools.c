/* tools.c - what an embedder needs beside a recording. See toll/embedder.h. */
#include "wasm_host.h"

#include "base/fail.h"

#include <stdlib.h>
#include <string.h>

uint32_t host_interface(void)
{
    return TOLL_EMBEDDER_VERSION;
}

void *host_alloc(size_t size)
{
    return malloc(size ? size : 1);
}

void host_release(void *block)
{
    free(block);
}

const char *host_error_text(void)
{
    return host.error.text;
}

size_t host_error_size(void)
{
    return strlen(host.error.text);
}

const void *host_result_data(void)
{
    return host.result ? toll_output_data(host.result, NULL) : NULL;
}

size_t host_result_size(void)
{
    size_t size = 0;
    if (host.result)
        toll_output_data(host.result, &size);
    return size;
}

toll_status host_new_result(void)
{
    toll_output_free(host.result);
    host.result = NULL;
    return toll_output_to_memory(NULL, 0, &host.result, &host.error);
}

int host_format_of(const char *path)
{
    const toll_format *format = toll_format_for_path(path);
    toll_status status = host_new_result();
    if (status)
        return status;
    if (!format)
        return toll_fail(&host.error, TOLL_E_UNKNOWN_FORMAT,
                         "%.200s: the name has no format's extension; end it in .pb.gz, "
                         ".speedscope.json, .folded, ... or name the format",
                         path);
    toll_output_write(host.result, format->name, strlen(format->name));
    return toll_output_commit(host.result, &host.error);
}
