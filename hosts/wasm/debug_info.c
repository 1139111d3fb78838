/* debug_info.c - see debug_info.h. */
#include "debug_info.h"

#include "base/array.h"
#include "base/fail.h"
#include "module_tools.h"
#include "tools.h"

#include <string.h>
#include <toll/debug.h>
#include <toll/embedder.h>

static struct {
    toll_debug **debugs; /* each of another build */
    size_t count, capacity;
    toll_wasm_costs *costs; /* of all modules; NULL: each instruction costs 1 */
    bool inlines;
} kept;

static bool is_kept(const toll_debug *debug)
{
    for (size_t i = 0; i < kept.count; i++)
        if (strcmp(toll_debug_build_id(kept.debugs[i]), toll_debug_build_id(debug)) == 0)
            return true;
    return false;
}

static toll_status keep(toll_debug *debug)
{
    const toll_mem mem = toll_mem_from(NULL);
    if (!(toll_debug_gives(debug) & TOLL_DEBUG_LINES) || is_kept(debug)) {
        toll_debug_free(debug);
        return TOLL_OK;
    }
    if (!toll_array_grow(&mem, &kept.debugs, &kept.capacity, kept.count, 1)) {
        toll_debug_free(debug);
        return toll_fail_nomem(host_error());
    }
    kept.debugs[kept.count++] = debug;
    return TOLL_OK;
}

static toll_status keep_found(void *user, toll_debug *debug, toll_error *err)
{
    (void)user;
    (void)err; /* it is host_error() */
    return keep(debug);
}

static toll_status read_module(toll_input *in)
{
    toll_debug *debug;
    toll_status status = toll_debug_read(NULL, in, &debug, host_error());
    return status ? status : keep(debug);
}

int host_debug_info(const void *data, size_t size, const char *name, const char *costs, int inlines)
{
    toll_input *in;
    toll_wasm_costs_free(kept.costs);
    kept.costs = NULL;
    kept.inlines = inlines;
    toll_status status = host_make_costs(costs, &kept.costs);
    if (!status)
        status = toll_input_from_memory(NULL, data, size, name, &in, host_error());
    if (status)
        return status;
    status = toll_wasm_is_component(data, size)
                 ? toll_debug_read_component(NULL, in, keep_found, NULL, host_error())
                 : read_module(in);
    toll_input_free(in);
    /* Instrumented: its debug information no longer fits. */
    return status == TOLL_E_UNSUPPORTED ? TOLL_OK : status;
}

toll_status host_symbolize(toll_profile **profile, bool keeps_blocks)
{
    const toll_symbolize_options options = {
        .size = sizeof options, .costs = kept.costs, .inlines = kept.inlines, .blocks = keeps_blocks
    };
    toll_profile *lines;
    if (!kept.count)
        return TOLL_OK;
    toll_status status = toll_profile_symbolize(*profile, (const toll_debug *const *)kept.debugs,
                                                kept.count, &options, &lines, host_error());
    if (status == TOLL_E_NOT_FOUND) /* no function of these modules has run yet */
        return TOLL_OK;
    if (status)
        return status;
    toll_profile_free(*profile);
    *profile = lines;
    return TOLL_OK;
}
