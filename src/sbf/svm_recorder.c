/* svm_recorder.c - makes recorders of a Solana VM, and registers programs. See toll/svm_recorder.h.
 */
#include "sbf/svm_recorder_data.h"

#include "base/array.h"
#include "base/sized_options.h"
#include "sbf/sbf_text.h"
#include "solana/solana_charge.h"

#include <inttypes.h>
#include <string.h>

/* --- the life of a recorder --------------------------------------------------------------------*/

/* Is every instruction of the program in the code, apart from second slots? Loaders write addresses
 * there. */
static bool has_run(void *user, const toll_sbf_program *p, const toll_sbf_symbols *code, bool *out)
{
    (void)user;
    const toll_sbf_code ran = { .text = p->text, .slots = p->text_size / TOLL_SBF_SLOT_SIZE };
    *out = ran.slots > 0 && code->text.size == p->text_size;
    for (uint64_t pc = 0; *out && pc < ran.slots; pc += toll_sbf_slots_at(&ran, pc))
        *out = toll_sbf_symbols_have(code, pc, p->text + pc * TOLL_SBF_SLOT_SIZE);
    return true;
}

static void begin_programs(toll_svm_recorder *r)
{
    toll_sbf_programs *p = &r->programs;
    p->failure = &r->failure;
    p->own = &r->own;
    p->options = &r->format;
    p->strings = &r->strings;
    p->names = &r->names;
    p->has_run = has_run;
}

static bool add_native_frame(toll_svm_recorder *r, const char *name, toll_frame_id *out)
{
    const toll_frame frame = { .name = name, .kind = TOLL_KIND_NATIVE };
    return toll_ok(&r->failure, toll_recorder_add_frame(r->recorder, &frame, out, r->failure.err));
}

static bool begin(toll_svm_recorder *r)
{
    static const toll_counter counter = { "compute units", "CU", 1 };
    const toll_recorder_options o = { .size = sizeof o,
                                      .allocator = &r->mem,
                                      .counters = &counter,
                                      .counter_count = 1,
                                      .section_heap = 1,
                                      .lines = r->own.lines };
    if (!toll_ok(&r->failure, toll_recorder_create(&o, &r->recorder, r->failure.err)))
        return false;
    r->programs.recorder = r->syscalls.recorder = r->recorder;
    return toll_ok(&r->failure, toll_svm_create(&r->syscalls, &r->svm, r->failure.err)) &&
           add_native_frame(r, SOLANA_FRAME_HEAP, &r->heap) &&
           add_native_frame(r, SOLANA_FRAME_REST, &r->rest) &&
           toll_solana_names_read(&r->names, &r->own, &r->format, &r->failure);
}

static toll_status copy_options(toll_svm_recorder_options *own, toll_svm_options *syscalls,
                                toll_solana_options *programs,
                                const toll_svm_recorder_options *given, toll_error *err)
{
    if (!given)
        return toll_fail_null(err, "options");
    toll_status status =
        toll_options_copy(own, sizeof *own, given, "toll_svm_recorder_options", err);
    if (!status && !own->syscalls)
        status = toll_fail_null(err, "options->syscalls");
    if (!status)
        status =
            toll_options_copy(syscalls, sizeof *syscalls, own->syscalls, "toll_svm_options", err);
    if (!status)
        status = toll_options_copy(programs, sizeof *programs, own->programs, "toll_solana_options",
                                   err);
    return status;
}

toll_status toll_svm_recorder_create(const toll_svm_recorder_options *options,
                                     toll_svm_recorder **out, toll_error *err)
{
    toll_svm_recorder_options own;
    toll_svm_options syscalls;
    toll_solana_options programs;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    toll_status status = copy_options(&own, &syscalls, &programs, options, err);
    if (status)
        return status;
    toll_mem mem = toll_mem_from(own.allocator);
    toll_svm_recorder *r = toll_mem_new(&mem, 1, sizeof *r);
    if (!r)
        return toll_fail_nomem(err);
    *r = (toll_svm_recorder){
        .mem = mem,
        .failure.err = err,
        .syscalls = syscalls,
        .own = programs,
        .format = { .size = sizeof r->format, .warn = own.warn, .warn_user = own.warn_user }
    };
    r->syscalls.allocator = &r->mem;
    toll_strtab_init(&r->strings, &r->mem);
    toll_solana_names_init(&r->names, &r->mem);
    toll_sbf_programs_init(&r->programs, &r->mem);
    begin_programs(r);
    toll_svm_recorder_begin_events(r);
    if (begin(r)) {
        *out = r;
        return TOLL_OK;
    }
    status = r->failure.status;
    toll_svm_recorder_free(r);
    return status;
}

void toll_svm_recorder_free(toll_svm_recorder *r)
{
    if (!r)
        return;
    toll_mem mem = r->mem;
    for (uint32_t i = 0; i < r->depth; i++)
        toll_sbf_walk_free(&r->open[i].walk);
    toll_svm_free(r->svm);
    toll_sbf_programs_free(&r->programs);
    toll_solana_names_free(&r->names);
    toll_strtab_free(&r->strings);
    toll_recorder_free(r->recorder);
    toll_profile_free(r->kept);
    toll_mem_free(&mem, r->open, r->capacity, sizeof *r->open);
    toll_mem_free(&mem, r->frames, r->frame_capacity, sizeof *r->frames);
    toll_mem_free(&mem, r, 1, sizeof *r);
}

toll_svm *toll_svm_recorder_sections(toll_svm_recorder *r)
{
    return r->svm;
}

uint32_t toll_svm_recorder_depth(const toll_svm_recorder *r)
{
    return r->depth + r->lost;
}

/* --- programs and system calls -----------------------------------------------------------------*/

toll_status toll_svm_recorder_program(toll_svm_recorder *r, const char *address, const void *text,
                                      size_t text_size, uint32_t *out, toll_error *err)
{
    if (!out)
        return toll_fail_null(err, "out");
    *out = TOLL_SBF_NONE;
    if (!address)
        return toll_fail_null(err, "address");
    uint32_t id;
    size_t before = r->programs.count;
    r->failure = (toll_failure){ .err = err };
    if (!toll_sbf_add_code(&r->programs, address, text, text ? text_size : 0, &id))
        return r->failure.status;
    *out = id;
    if (r->programs.count > before && text)
        toll_sbf_choose_build(&r->programs, id);
    return r->failure.status;
}

toll_status toll_svm_recorder_constants(toll_svm_recorder *r, uint32_t program, const void *data,
                                        size_t size, uint64_t address, toll_error *err)
{
    if (program >= r->programs.count)
        return toll_fail(err, TOLL_E_ARGUMENT, "there is no program %" PRIu32, program);
    if (size && !data)
        return toll_fail_null(err, "data");
    r->failure = (toll_failure){ .err = err };
    toll_sbf_add_constants(&r->programs, program, &(toll_sbf_constants){ data, size, address });
    return r->failure.status;
}

toll_status toll_svm_recorder_add_syscall(toll_svm_recorder *r, const char *name,
                                          toll_frame_id *out, toll_error *err)
{
    if (!out)
        return toll_fail_null(err, "out");
    r->failure = (toll_failure){ .err = err };
    add_native_frame(r, name, out);
    return r->failure.status;
}
