/* attach_collect.c - see attach_collect.h. */
#include "attach_collect.h"

#include <inttypes.h>
#include <toll/format.h>
#include <toll/stream.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/mem.h"
#include "luastack/attach_request.h"

static toll_status read_part(const toll_allocator *allocator, int from, uint64_t at, size_t size,
                             const char *name, toll_profile **out, toll_error *err)
{
    const toll_mem mem = toll_mem_from(allocator);
    uint8_t *bytes = toll_mem_new(&mem, size, 1);
    toll_input *in = NULL;
    toll_status status = TOLL_OK;
    if (!bytes)
        return toll_fail_nomem(err);
    if (pread(from, bytes, size, (off_t)at) != (ssize_t)size)
        status = toll_fail(err, TOLL_E_IO, "%s: its profile cannot be read", name);
    if (!status)
        status = toll_input_from_memory(allocator, bytes, size, name, &in, err);
    if (!status)
        status = toll_profile_read(in, "pprof", NULL, NULL, out, err);
    toll_input_free(in);
    toll_mem_free(&mem, bytes, size, 1);
    return status;
}

static toll_status add_part(toll_profile **sum, toll_profile *part, toll_error *err)
{
    toll_status status = TOLL_OK;
    if (*sum) {
        status = toll_profile_merge(*sum, part, err);
        toll_profile_free(part);
    } else {
        *sum = part;
    }
    return status;
}

toll_status toll_attach_collect(const toll_allocator *allocator, int from, uint64_t whole,
                                const char *name, toll_profile **sum, toll_error *err)
{
    toll_attach_size size = 0;
    toll_status status = TOLL_OK;
    *sum = NULL;
    for (uint64_t at = 0; !status && at < whole; at += size) {
        toll_profile *part = NULL;
        uint64_t left = whole - at;
        if (left < sizeof size ||
            pread(from, &size, sizeof size, (off_t)at) != (ssize_t)sizeof size || !size ||
            size > left - sizeof size || size > SIZE_MAX)
            status = toll_fail(err, TOLL_E_TRUNCATED,
                               "%s: at byte %" PRIu64 " of what it has recorded: a profile is cut "
                               "off; attach again",
                               name, at);
        at += sizeof size;
        if (!status)
            status = read_part(allocator, from, at, (size_t)size, name, &part, err);
        if (!status)
            status = add_part(sum, part, err);
    }
    if (status) {
        toll_profile_free(*sum);
        *sum = NULL;
    }
    return status;
}
