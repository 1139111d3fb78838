/* sbf_programs.c - the traced programs, and their frames. See sbf_job.h. */
#include "base/array.h"
#include "sbf/sbf_job.h"

#include <inttypes.h>
#include <string.h>

static bool make_frame(toll_sbf_job *job, const char *id, const char *instruction, bool has_failed,
                       uint32_t one_of, toll_frame_id *out)
{
    toll_frame frame = { .name = toll_solana_frame_name(&job->name, &job->names, id, strlen(id),
                                                        instruction, has_failed),
                         .kind = TOLL_KIND_PROGRAM };
    if (one_of > 1) {
        toll_buffer_append_format(&job->name, " (one of %" PRIu32 ")", one_of);
        frame.name = toll_buffer_cstr(&job->name);
    }
    if (!frame.name)
        return toll_no_memory(&job->failure);
    return toll_ok(&job->failure,
                   toll_recorder_add_frame(job->recorder, &frame, out, job->failure.err));
}

static bool make_program(toll_sbf_job *job, const char *id)
{
    if (!toll_array_grow(&job->mem, &job->programs, &job->program_capacity, job->program_count, 1))
        return toll_no_memory(&job->failure);
    toll_sbf_program *p = &job->programs[job->program_count++];
    *p = (toll_sbf_program){ .id = id, .build = TOLL_SBF_NONE };
    toll_u64map_init(&p->frames, &job->mem);
    toll_u64map_init(&p->places, &job->mem);
    toll_solana_names_use(&job->names, id, strlen(id));
    return make_frame(job, id, "", false, 0, &p->frame) &&
           make_frame(job, id, "", true, 0, &p->failed_frame);
}

bool toll_sbf_invocation_frame(toll_sbf_job *job, uint32_t program, const char *instruction,
                               bool has_failed, uint32_t one_of, toll_frame_id *out)
{
    const toll_sbf_program *p = &job->programs[program];
    *out = has_failed ? p->failed_frame : p->frame;
    return (!*instruction && one_of < 2) ||
           make_frame(job, p->id, instruction, has_failed, one_of, out);
}

bool toll_sbf_add_program(toll_sbf_job *job, const char *id, uint32_t *out)
{
    uint32_t name = toll_strtab_add(&job->strings, id, strlen(id));
    if (name == UINT32_MAX)
        return toll_no_memory(&job->failure);
    id = toll_strtab_text(&job->strings, name);
    for (*out = 0; *out < job->program_count; ++*out)
        if (job->programs[*out].id == id)
            return true;
    return make_program(job, id);
}
