/* svm.c - turns syscalls into sections, invocations into scopes and frames. See toll/svm.h. */
#include "base/buffer.h"
#include "base/fail.h"
#include "base/sized_options.h"
#include "record/recorder_data.h"
#include "solana/known_programs.h"
#include "solana/svm_scope.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <toll/svm.h>

struct toll_svm {
    toll_mem mem;
    toll_svm_options options;
    toll_sections *sections;
    uint32_t depth;
    uint32_t lost; /* how many of these, the innermost, have no scope for lack of memory */
};

toll_status toll_svm_create(const toll_svm_options *options, toll_svm **out, toll_error *err)
{
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (!options)
        return toll_fail_null(err, "options");
    toll_svm_options own;
    toll_status status = toll_options_copy(&own, sizeof own, options, "toll_svm_options", err);
    if (!status && !own.translate)
        status = toll_fail_null(err, "options->translate");
    if (!status && own.recorder && own.recorder->counter_count != 1) /* each invocation begins again
                                                                      * (push) */
        status =
            toll_fail(err, TOLL_E_ARGUMENT,
                      "options->recorder: has %u counters; it must have one, the compute units",
                      own.recorder->counter_count);
    if (status)
        return status;
    toll_mem mem = toll_mem_from(own.allocator);
    toll_svm *svm = toll_mem_new(&mem, 1, sizeof *svm);
    if (!svm)
        return toll_fail_nomem(err);
    svm->mem = mem;
    svm->options = own;
    toll_sections_options o = {
        .size = sizeof o, .allocator = &mem, .counts_down = 1, .recorder = own.recorder
    };
    status = toll_sections_create(&o, &svm->sections, err);
    if (status) {
        toll_svm_free(svm);
        return status;
    }
    *out = svm;
    return TOLL_OK;
}

void toll_svm_free(toll_svm *svm)
{
    if (!svm)
        return;
    toll_mem mem = svm->mem;
    toll_sections_free(svm->sections);
    toll_mem_free(&mem, svm, 1, sizeof *svm);
}

uint32_t toll_svm_depth(const toll_svm *svm)
{
    return svm->depth;
}

uint64_t toll_svm_price(const char *program)
{
    return program ? toll_program_price(program, strlen(program)) : 0;
}

static toll_status write_line(void *user, const char *line, size_t size)
{
    const toll_svm *svm = user;
    svm->options.log(svm->options.log_user, line, size);
    return TOLL_OK;
}

/* --- the syscalls ------------------------------------------------------------------------------*/

typedef toll_status section_event(toll_sections *sections, const void *id, size_t id_size,
                                  const uint64_t *heap, const uint64_t *now, toll_error *err);

/* Write to the log why a call names a section without what it says. */
static void log_problem(const toll_svm *svm, const char *what, const char *text)
{
    char line[TOLL_ERROR_SIZE + 40];
    int size = snprintf(line, sizeof line, "CU log: %s: %s", what, text);
    if (svm->options.log)
        svm->options.log(svm->options.log_user, line, (size_t)size);
}

/* Report a failure in the log; the program continues without the section. */
static toll_svm_result fail(const toll_svm *svm, const char *what, const toll_error *err,
                            toll_svm_result result)
{
    log_problem(svm, what, err->text);
    if (svm->options.recorder && result != TOLL_SVM_NOT_OPEN) /* toll_sections counts that case */
        toll_recorder_note(svm->options.recorder, "calls that name sections and failed", 1, NULL);
    return result;
}

static toll_svm_result result_of(toll_status status)
{
    return status == TOLL_E_NOT_FOUND ? TOLL_SVM_NOT_OPEN : TOLL_SVM_NO_MEMORY;
}

/* The heap value of a call; NULL: it has none. */
static const uint64_t *heap_of(const toll_svm *svm, const toll_svm_call *call, const char *what)
{
    uint64_t mark = svm->options.tracks_heap;
    char text[100];
    if (call->heap_value == 0 && (!mark || (call->tracks_heap != mark && call->tracks_heap != 1)))
        return NULL;
    if (call->heap_value > TOLL_MAX_SECTION_HEAP) {
        snprintf(text, sizeof text, "heap value %" PRIu64 " is above 2^62, not tracked",
                 call->heap_value);
        log_problem(svm, what, text);
    }
    return &call->heap_value;
}

static toll_svm_result section_call(toll_svm *svm, const toll_svm_call *call, const uint64_t *now,
                                    section_event *event, const char *what)
{
    toll_error err = { TOLL_OK, "" };
    const void *id = "";
    if (call->id_size > TOLL_MAX_SECTION_ID) {
        toll_fail(&err, TOLL_E_LIMIT, "an id of more than %d bytes", TOLL_MAX_SECTION_ID);
        return fail(svm, what, &err, TOLL_SVM_ID_TOO_LONG);
    }
    if (call->id_size > 0)
        id = svm->options.translate(call->memory, call->id_address, call->id_size);
    if (!id)
        return TOLL_SVM_ACCESS_VIOLATION;
    if (svm->depth == 0) {
        toll_fail(&err, TOLL_E_ARGUMENT, "outside of any invocation");
        return fail(svm, what, &err, TOLL_SVM_NO_INVOCATION);
    }
    toll_status status = svm->lost ? toll_fail_nomem(&err)
                                   : event(svm->sections, id, (size_t)call->id_size,
                                           heap_of(svm, call, what), now, &err);
    return status ? fail(svm, what, &err, result_of(status)) : TOLL_SVM_OK;
}

toll_svm_result toll_svm_start(toll_svm *svm, const toll_svm_call *call, const uint64_t *now)
{
    return section_call(svm, call, now, toll_sections_begin, "start");
}

toll_svm_result toll_svm_end(toll_svm *svm, const toll_svm_call *call, const uint64_t *now)
{
    return section_call(svm, call, now, toll_sections_end, "end");
}

/* --- invocations -------------------------------------------------------------------------------*/

static void enter_frame(toll_svm *svm, const char *program, const uint64_t *now)
{
    char name[128];
    toll_frame_id id;
    const char *known = toll_known_program(program, strlen(program));
    snprintf(name, sizeof name, "%s%.100s", known ? "" : "program ", known ? known : program);
    toll_frame frame = { .name = name, .kind = TOLL_KIND_PROGRAM };
    if (toll_recorder_add_frame(svm->options.recorder, &frame, &id, NULL))
        id = TOLL_NONE; /* the recorder counts it as a frame that was not registered */
    toll_recorder_call(svm->options.recorder, id, now);
}

toll_status toll_svm_push_scope(toll_svm *svm, const uint64_t *now, toll_error *err)
{
    if (svm->depth++ == 0)
        toll_sections_rebase(svm->sections, now);
    toll_status status =
        svm->lost ? toll_fail_nomem(err) : toll_sections_push(svm->sections, now, err);
    svm->lost += status != TOLL_OK;
    return status;
}

toll_status toll_svm_push(toll_svm *svm, const char *program, const uint64_t *now, toll_error *err)
{
    if (!program)
        return toll_fail_null(err, "program");
    if (svm->depth == 0)
        toll_sections_rebase(svm->sections, now);
    if (svm->options.recorder)
        enter_frame(svm, program, now);
    return toll_svm_push_scope(svm, now, err);
}

static toll_status log_sections(toll_svm *svm, const toll_section_results *results, toll_error *err)
{
    return svm->options.log ? toll_sections_log(svm->sections, results, write_line, svm, err)
                            : TOLL_OK;
}

toll_status toll_svm_pop_scope(toll_svm *svm, const uint64_t *now, toll_section_results *results,
                               toll_error *err)
{
    toll_section_results unwanted, *found = results ? results : &unwanted;
    *found = (toll_section_results){ NULL, 0, NULL, 0 };
    if (svm->depth == 0)
        return TOLL_OK;
    svm->depth--;
    if (svm->lost) {
        svm->lost--;
        return toll_fail_nomem(err);
    }
    toll_status status = toll_sections_pop(svm->sections, now, found, err);
    return status ? status : log_sections(svm, found, err);
}

toll_status toll_svm_pop(toll_svm *svm, int failed, const uint64_t *now,
                         toll_section_results *results, toll_error *err)
{
    bool is_open = svm->depth > 0;
    toll_status status = toll_svm_pop_scope(svm, now, results, err);
    if (is_open && svm->options.recorder) {
        toll_recorder_return(svm->options.recorder, now);
        if (failed)
            toll_recorder_note(svm->options.recorder, "invocations that failed", 1, NULL);
    }
    return status;
}
