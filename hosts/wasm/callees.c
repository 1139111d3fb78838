/* callees.c - see callees.h.
 *
 * In the recorder one frame stands for both, the function and the address of its call. So a stack
 * has no more frames than without call_lines, and each event is handled in the same way.
 * place_callees.c turns such frames into two: the place in the caller, and the function under it.
 */
#include "callees.h"

#include "base/array.h"
#include "delivery.h"

static void put_text(toll_buffer *out, toll_wasm_bytes text)
{
    if (text.size)
        toll_buffer_append(out, text.data, text.size);
    toll_buffer_append_byte(out, 0);
}

bool host_function_frame(const toll_wasm_section_info *t, uint32_t function, toll_buffer *texts,
                         toll_frame *out)
{
    const toll_wasm_section_function *f = &t->functions[function];
    bool imported = function < t->imported;
    toll_buffer_clear(texts);
    put_text(texts, f->name);
    put_text(texts, f->file);
    put_text(texts, t->file);
    put_text(texts, t->build_id);
    put_text(texts, f->system_name);
    if (texts->failed)
        return false;
    const char *name = (const char *)texts->data, *file = name + f->name.size + 1;
    const char *module = file + f->file.size + 1, *build_id = module + t->file.size + 1;
    const char *system_name = build_id + t->build_id.size + 1;
    *out = (toll_frame){ .name = name,
                         .file = file,
                         .system_name = system_name,
                         .line = f->line,
                         .kind = imported ? TOLL_KIND_NATIVE : TOLL_KIND_FUNCTION,
                         .module = imported ? "" : module,
                         .build_id = imported ? "" : build_id,
                         .address = f->address };
    return true;
}

/* --- callees -----------------------------------------------------------------------------------*/

static host_callees callees;

void host_begin_callees(bool are_kinds)
{
    const toll_mem mem = toll_mem_from(NULL);
    toll_u64map_init(&callees.frames, &mem);
    callees.are_kinds = are_kinds;
}

host_callees *host_callees_so_far(void)
{
    return &callees;
}

/* How many places a module has. Kinds are the same in all modules. */
static uint32_t call_count(const host_module *m)
{
    return callees.are_kinds ? HOST_INDIRECT : m->info.call_count;
}

bool host_add_places(host_module *m)
{
    host_callees *c = &callees;
    size_t had = c->are_kinds ? 0 : c->place_count;
    uint64_t first = m->info.is_linked && !c->are_kinds ? m->info.first_call : had;
    uint64_t count = first + call_count(m);
    if (count > TOLL_WASM_MOST_LINKED)
        return false;
    m->first_place = (uint32_t)first;
    c->place_count = count > had ? (size_t)count : had;
    return true;
}

const host_module *host_module_of_place(uint32_t place)
{
    const host_module *m = host_modules();
    while (m && (place <= m->first_place || place - m->first_place > call_count(m)))
        m = m->next;
    return m;
}

/* Set the callee of `frame`. Frames before it that have none yet are functions. */
static bool describe(toll_frame_id frame, uint64_t callee)
{
    host_callees *c = &callees;
    toll_mem mem = toll_mem_from(NULL);
    if (frame >= c->count) {
        size_t more = (size_t)frame + 1 - c->count;
        if (!toll_array_grow(&mem, &c->of, &c->capacity, c->count, more))
            return false;
        for (size_t i = c->count; i <= frame; i++)
            c->of[i] = i;
        c->count = (size_t)frame + 1;
    }
    c->of[frame] = callee;
    return true;
}

/* Make a new frame. Its line contains the numbers of both modules: two modules may have functions
 * of one name and file, and calls at one address, and these must be different frames. (Beyond
 * MOST_CALLERS modules they may be the same one.) */
enum { MOST_CALLERS = 1 << 16 };
static bool make_frame(const host_module *m, const host_module *caller, uint32_t function,
                       uint64_t callee, toll_frame_id *out)
{
    uint32_t place = host_callee_place(callee);
    toll_mem mem = toll_mem_from(NULL);
    toll_buffer texts;
    toll_frame frame;
    toll_buffer_init(&texts, &mem);
    bool good = host_function_frame(&m->info, function - m->info.first_function, &texts, &frame);
    frame.at_address =
        callees.are_kinds ? place : caller->info.calls[place - caller->first_place - 1].address;
    frame.at_line = m->number * MOST_CALLERS + caller->number + 1;
    good = good && !toll_recorder_add_frame(host_recorder(), &frame, out, NULL) &&
           describe(*out, callee) && toll_u64map_add(&callees.frames, callee, *out);
    toll_buffer_free(&texts);
    return good;
}

toll_frame_id host_callee_frame(uint32_t place, uint32_t function, toll_frame_id plain)
{
    host_callees *c = &callees;
    uint64_t callee = (uint64_t)place << 32 | plain;
    if (place > c->place_count)
        return plain;
    toll_frame_id frame = host_recent_callee(c, callee);
    if (frame != TOLL_NONE)
        return frame;
    const host_module *m = host_module_of(function);
    const host_module *caller = c->are_kinds ? m : host_module_of_place(place);
    if (!m || !caller || function - m->info.first_function >= m->info.function_count)
        return plain;
    frame = toll_u64map_find(&c->frames, callee);
    if (frame == UINT32_MAX && !make_frame(m, caller, function, callee, &frame)) {
        toll_recorder_note(host_recorder(), "calls without memory for their place", 1, NULL);
        return plain;
    }
    c->recent[host_recent_slot(callee)] = frame;
    return frame;
}
