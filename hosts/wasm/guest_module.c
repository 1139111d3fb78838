/* guest_module.c - begins an instance: the embedder passes its module. See toll/embedder.h. */
#include "base/fail.h"
#include "callees.h"
#include "clocked_time.h"
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
    const bool is_watched = function < t->imported && host_time_is_clocked();
    host_set_frame(t->first_function + function, is_watched ? id | HOST_WATCHED : id);
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

/* Linked modules' instances live at the same time, and their functions call one another. */
static bool is_another_linked(const host_module *m)
{
    const host_module *current = host_current_module();
    return m->info.is_linked && current && current->info.is_linked;
}

/* Do the numbers of a linked module's functions overlap those of another one? */
static bool overlaps(const host_module *m)
{
    const toll_wasm_section_info *a = &m->info, *b;
    for (const host_module *other = host_modules(); other; other = other->next) {
        b = &other->info;
        if (other != m && b->is_linked &&
            a->first_function < b->first_function + b->function_count &&
            b->first_function < a->first_function + a->function_count)
            return true;
    }
    return false;
}

/* Linked modules have numbers that begin at 0, so nothing may precede them. */
static toll_status check_linked(const host_module *m)
{
    for (const host_module *other = host_modules(); other; other = other->next)
        if (!other->info.is_linked)
            return toll_fail(host_error(), TOLL_E_STATE,
                             "linked modules cannot follow another module in a recording: record "
                             "them with another toll.wasm");
    if ((uint64_t)m->info.first_function + m->info.function_count > TOLL_WASM_MOST_LINKED)
        return toll_fail(host_error(), TOLL_E_LIMIT, "linked modules have more than %d functions",
                         TOLL_WASM_MOST_LINKED);
    return overlaps(m) ? toll_fail(host_error(), TOLL_E_STATE,
                                   "linked modules have the same numbers: instrument all in one "
                                   "instance of toll.wasm")
                       : TOLL_OK;
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
    return m->info.is_linked ? check_linked(m) : TOLL_OK;
}

/* Add a module that passes the checks. */
static toll_status add_module(toll_wasm_bytes section, host_module **out)
{
    toll_status status = host_make_module(section.data, section.size, out);
    if (status)
        return status;
    status = check_module(*out);
    if (!status && !host_add_places(*out))
        status = toll_fail(host_error(), TOLL_E_LIMIT, "modules have at most %d calls with places",
                           TOLL_WASM_MOST_LINKED);
    if (status)
        host_free_module(*out);
    else
        host_add_module(*out);
    return status;
}

int host_set_module(const uint8_t *data, size_t size)
{
    toll_wasm_bytes section;
    toll_status status = host_find_section(data, size, &section);
    if (status)
        return status;
    host_module *m = host_find_module(section.data, section.size);
    status = m ? check_module(m) : add_module(section, &m);
    if (status)
        return status;
    if (!is_another_linked(m)) {
        host_end_instance();
        host_callees_so_far()->last_place = 0;
    }
    host_clock_module(m->info.is_prompt);
    status = host_begin_module(m);
    host_use_current_module();
    return status ? status : add_frames(&m->info);
}

int host_function_name(uint32_t function)
{
    const host_module *m = host_current_module();
    if (!m || function >= m->info.function_count)
        return toll_fail(host_error(), TOLL_E_NOT_FOUND, "the module has no function %u", function);
    toll_wasm_bytes name = m->info.functions[function].name;
    toll_status status = host_new_result();
    if (status)
        return status;
    toll_output_write(host_result(), name.data, name.size);
    return toll_output_commit(host_result(), host_error());
}
