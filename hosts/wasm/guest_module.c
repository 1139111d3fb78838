/* guest_module.c - begins an instance: the embedder passes its module. See toll/embedder.h. */
#include "base/fail.h"
#include "callees.h"
#include "delivery.h"
#include "events.h"
#include "fold_recursion.h"
#include "guest_events.h"
#include "module_tools.h"
#include "modules.h"
#include "resumptions.h"
#include "tools.h"

#include <toll/embedder.h>

static toll_status add_frame(const toll_wasm_section_info *t, uint32_t function, toll_buffer *texts)
{
    toll_frame frame;
    toll_frame_id id;
    if (!host_function_frame(t, function, texts, &frame))
        return toll_fail_nomem(host_error());
    toll_status status = toll_recorder_add_frame(host_recorder(), &frame, &id, host_error());
    if (status)
        return status;
    host_set_frame(t->first_function + function, id);
    if (function >= t->imported)
        host_find_rewinder(t->first_function + function, t->functions[function].name);
    return TOLL_OK;
}

static toll_status add_frames(const toll_wasm_section_info *t)
{
    toll_mem mem = toll_mem_from(NULL);
    toll_buffer texts;
    toll_status status = TOLL_OK;
    toll_buffer_init(&texts, &mem);
    for (uint32_t f = 0; !status && f < t->function_count; f++)
        status = add_frame(t, f, &texts);
    toll_buffer_free(&texts);
    return status;
}

static toll_status add_module(toll_wasm_bytes section, host_module **out)
{
    toll_status status = host_make_module(section.data, section.size, out);
    if (status)
        return status;
    if (!host_add_places(*out)) {
        host_free_module(*out);
        return toll_fail_nomem(host_error());
    }
    host_add_module(*out);
    return TOLL_OK;
}

/* Linked modules' instances live at the same time, and their functions call one another. */
static bool is_another_linked(const host_module *m)
{
    const host_module *current = host_current_module();
    return m->info.is_linked && current && current->info.is_linked;
}

static toll_status check_module(const host_module *m)
{
    if (!is_another_linked(m) && host_function_is_open())
        return toll_fail(host_error(), TOLL_E_STATE,
                         "a function of the instance before is open; unwind it if it has failed. "
                         "Instances that live at the same time need a toll.wasm each");
    if (host_folds() && m->info.call_count)
        return toll_fail(host_error(), TOLL_E_ARGUMENT,
                         "where recursion is folded while the program runs there are no lines of "
                         "calls; omit one of the two");
    return TOLL_OK;
}

int host_set_module(const uint8_t *data, size_t size)
{
    toll_wasm_bytes section;
    toll_status status = host_find_section(data, size, &section);
    if (status)
        return status;
    host_module *m = host_find_module(section.data, section.size);
    if (!m)
        status = add_module(section, &m);
    if (!status)
        status = check_module(m);
    if (status)
        return status;
    if (!is_another_linked(m)) {
        host_end_instance();
        host_callees_so_far()->last_place = 0;
    }
    status = host_begin_module(m);
    host_use_current_module();
    return status ? status : add_frames(&m->info);
}
