/* sbf_frames.c - makes the frames of programs' functions, and of places in them. See
 * sbf_programs.h. */
#include "base/os.h"
#include "profile/frame_name.h"
#include "sbf/sbf_library.h"
#include "sbf/sbf_programs.h"
#include "sbf/sbf_syscalls.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct program_text {
    const uint8_t *data;
    size_t size;
} program_text;

/* The code of a program, or of its file; size 0: it is not known. */
static program_text text_of(const toll_sbf_programs *all, const toll_sbf_program *program)
{
    const toll_sbf_build *build = toll_sbf_build_of(all, program);
    if (program->text || !build)
        return (program_text){ program->text, program->text_size };
    return (program_text){ build->symbols.text.data, build->symbols.text.size };
}

/* The name of the function entered at `entry`, as symbols have it; NULL: it has none. */
static const char *name_of(const toll_sbf_programs *all, const toll_sbf_program *program,
                           uint64_t entry, toll_sbf_how *how)
{
    const toll_sbf_build *build = toll_sbf_build_of(all, program);
    const char *name = build ? toll_sbf_symbols_find(&build->symbols, entry, how) : NULL;
    if (name)
        return name;
    program_text text = text_of(all, program);
    name = toll_sbf_library_name(text.data, text.size, entry);
    *how = name ? TOLL_SBF_BY_LIBRARY : TOLL_SBF_UNNAMED;
    return name;
}

/* Make a name for a function that has none, in `out`: where it begins, and with "~", as a guess,
 * what its code shows. False: no memory. */
static bool make_name(toll_sbf_programs *all, toll_sbf_program *program, uint64_t entry,
                      toll_buffer *out)
{
    toll_buffer_clear(out);
    if (entry == program->entry)
        return toll_buffer_append_text(out, "entrypoint");
    toll_buffer_append_format(out, TOLL_SBF_NUMBERED "%" PRIu64, entry);
    if (!program->text)
        return !out->failed;
    toll_sbf_program *owner = &all->list[program->owner];
    const char *evidence = toll_sbf_logged_name(&owner->logged, entry);
    if (!evidence && !owner->starts.bits &&
        !toll_sbf_starts_find(&owner->starts, &all->mem, owner->text, owner->text_size))
        return false;
    if (!evidence)
        evidence = toll_sbf_evidence(&owner->starts, owner->text, entry);
    return !evidence || toll_buffer_append_format(out, " ~%s", evidence);
}

/* Make the frame of the function entered at `entry`. The program's ID is the file, so that fn@PC of
 * two programs are two functions; the module is the ELF file, or without one the program's name if
 * it has one. */
static bool make_frame(toll_sbf_programs *all, toll_sbf_program *program, uint64_t entry,
                       toll_frame_id *out, toll_sbf_how *how)
{
    const toll_sbf_build *build = toll_sbf_build_of(all, program);
    const char *name = name_of(all, program, entry, how);
    if (!name && !make_name(all, program, entry, &all->path))
        return toll_no_memory(all->failure);
    toll_frame frame = { .name = name ? name : toll_buffer_cstr(&all->path), .file = program->id };
    if (!frame.name || !toll_frame_demangle(&frame, &all->name))
        return toll_no_memory(all->failure);
    char number[32];
    if (*how == TOLL_SBF_BY_LIBRARY) {
        snprintf(number, sizeof number, TOLL_SBF_NUMBERED "%" PRIu64, entry);
        frame.system_name = number;
    }
    if (!build) {
        frame.module = toll_solana_name_of(all->names, program->id, strlen(program->id));
    } else {
        frame.module = toll_os_file_name(build->path);
        frame.build_id = (const char *)build->symbols.build_id.data;
        frame.address = toll_sbf_symbols_address(&build->symbols, entry);
    }
    return toll_ok(all->failure,
                   toll_recorder_add_frame(all->recorder, &frame, out, all->failure->err));
}

bool toll_sbf_function(toll_sbf_programs *all, toll_sbf_program *program, uint64_t entry,
                       toll_frame_id *out)
{
    *out = toll_u64map_find(&program->frames, entry);
    if (*out != TOLL_NONE)
        return true;
    toll_sbf_how how;
    if (!make_frame(all, program, entry, out, &how))
        return false;
    if (program->text || program->build != TOLL_SBF_NONE)
        all->named[how]++;
    return (toll_u64map_add(&program->frames, entry, *out) || toll_no_memory(all->failure));
}

/* Make the frame of a place: all but its address is the function's. */
static bool make_place(toll_sbf_programs *all, toll_frame_id function, uint64_t address,
                       toll_frame_id *out)
{
    toll_frame frame = toll_recorder_frame(all->recorder, function);
    frame.at_address = address;
    return toll_ok(all->failure,
                   toll_recorder_add_frame(all->recorder, &frame, out, all->failure->err));
}

bool toll_sbf_place(toll_sbf_programs *all, toll_sbf_program *program, uint64_t entry, uint64_t pc,
                    toll_frame_id *out)
{
    uint64_t key = entry << 32 | pc;
    uint64_t address = toll_sbf_symbols_address(&toll_sbf_build_of(all, program)->symbols, pc);
    bool is_cached = entry <= UINT32_MAX && pc <= UINT32_MAX;
    toll_frame_id function;
    *out = is_cached ? toll_u64map_find(&program->places, key) : TOLL_NONE;
    if (*out != TOLL_NONE)
        return true;
    if (!toll_sbf_function(all, program, entry, &function) ||
        !make_place(all, function, address, out))
        return false;
    /* Programs have fewer than 2^32 instructions. Larger numbers come from a damaged trace; they do
     * not fit the key, so the frame is looked up by its content. */
    return !is_cached || toll_u64map_add(&program->places, key, *out) ||
           toll_no_memory(all->failure);
}

bool toll_sbf_syscall_frame(toll_sbf_programs *all, uint32_t hash, toll_frame_id *out)
{
    char number[32];
    const toll_sbf_syscall *known = toll_sbf_syscall_find(hash);
    *out = toll_u64map_find(&all->syscalls, hash);
    if (*out != TOLL_NONE)
        return true;
    snprintf(number, sizeof number, "syscall@%08" PRIx32, hash);
    toll_frame frame = { .name = known ? known->name : number, .kind = TOLL_KIND_NATIVE };
    return toll_ok(all->failure,
                   toll_recorder_add_frame(all->recorder, &frame, out, all->failure->err)) &&
           (toll_u64map_add(&all->syscalls, hash, *out) || toll_no_memory(all->failure));
}
