/* debug_component.c - reads the debug information of a component's core modules. See toll/debug.h.
 */
#include "base/fail.h"
#include "base/input.h"
#include "wasm/component.h"

#include <toll/debug.h>

typedef struct reader {
    const toll_allocator *allocator;
    toll_debug_found_fn found;
    void *user;
} reader;

static toll_status read_module(void *user, const char *name, toll_wasm_bytes module,
                               toll_error *err)
{
    const reader *r = user;
    toll_input *in;
    toll_debug *debug;
    toll_status status =
        toll_input_from_memory(r->allocator, module.data, module.size, name, &in, err);
    if (status)
        return status;
    status = toll_debug_read(r->allocator, in, &debug, err);
    toll_input_free(in);
    return status ? status : r->found(r->user, debug, err);
}

toll_status toll_debug_read_component(const toll_allocator *allocator, toll_input *in,
                                      toll_debug_found_fn found, void *user, toll_error *err)
{
    const toll_mem mem = toll_mem_from(allocator);
    reader r = { allocator, found, user };
    toll_buffer whole;
    if (!found)
        return toll_fail_null(err, "found");
    toll_buffer_init(&whole, &mem);
    toll_status status = toll_input_read_all(in, &whole, err);
    if (!status && !toll_wasm_is_component(whole.data, whole.size))
        status = toll_fail(err, TOLL_E_UNSUPPORTED, "%s: is no component", toll_input_name(in));
    if (!status)
        status = toll_component_each_module(&mem, toll_input_name(in), whole.data, whole.size,
                                            read_module, &r, err);
    toll_buffer_free(&whole);
    return status;
}
