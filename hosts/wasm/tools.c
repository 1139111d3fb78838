/* tools.c - see tools.h and toll/embedder.h. */
#include "tools.h"

#include "base/fail.h"

#include <stdlib.h>
#include <string.h>
#include <toll/embedder.h>

static toll_error last_error;
static toll_output *result; /* NULL: none */

toll_error *host_error(void)
{
    return &last_error;
}

toll_output *host_result(void)
{
    return result;
}

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
    return last_error.text;
}

size_t host_error_size(void)
{
    return strlen(last_error.text);
}

const void *host_result_data(void)
{
    return result ? toll_output_data(result, NULL) : NULL;
}

size_t host_result_size(void)
{
    size_t size = 0;
    if (result)
        toll_output_data(result, &size);
    return size;
}

toll_status host_new_result(void)
{
    toll_output_free(result);
    result = NULL;
    return toll_output_to_memory(NULL, 0, &result, &last_error);
}

int host_format_of(const char *path)
{
    const toll_format *format = toll_format_for_path(path);
    toll_status status = host_new_result();
    if (status)
        return status;
    if (!format)
        return toll_fail(&last_error, TOLL_E_UNKNOWN_FORMAT,
                         "%.200s: the name has no format's extension; end it in .pb.gz, "
                         ".speedscope.json, .folded, ... or name the format",
                         path);
    toll_output_write(result, format->name, strlen(format->name));
    return toll_output_commit(result, &last_error);
}
