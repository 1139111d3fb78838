/* sbf_programs.h - the programs of a recording: the files that have the names of their functions,
 * and the frames of programs, functions and system calls.
 *
 * sbf_programs.c (programs), sbf_builds.c and sbf_build_files.c (their ELF files), sbf_frames.c
 * (frames). Used by the reader of traces (sbf_job.h), and while a program runs (svm_recorder.c). */
#ifndef TOLL_SBF_SBF_PROGRAMS_H
#define TOLL_SBF_SBF_PROGRAMS_H

#include "base/os.h"
#include "base/strtab.h"
#include "base/u64map.h"
#include "format/format_row.h"
#include "sbf/sbf_elf.h"
#include "sbf/sbf_evidence.h"
#include "sbf/sbf_logged.h"
#include "solana/solana.h"

#include <toll/recorder.h>

#define TOLL_SBF_NONE UINT32_MAX

typedef struct toll_sbf_program {
    const char *id; /* base58; in the strings */
    toll_frame_id frame, failed_frame;
    uint32_t build;      /* index in the builds; TOLL_SBF_NONE */
    toll_u64map frames;  /* entry pc -> frame */
    toll_u64map places;  /* entry pc, pc -> frame of the place */
    const uint8_t *text; /* the instructions that a running program has; NULL: not known */
    size_t text_size;
    uint32_t owner;         /* the program whose `text` it is: itself, or an earlier one with the
                             * same code */
    uint64_t entry;         /* pc where a running program begins; UINT64_MAX: not known */
    toll_sbf_starts starts; /* of its functions; empty: not searched yet. The owner's. */
    toll_sbf_logged logged; /* instructions that functions log; the owner's */
    bool has_constants;     /* `logged` was searched */
} toll_sbf_program;

/* An ELF file that may have the names of programs. */
typedef struct toll_sbf_build {
    const char *path;
    const char *program_id; /* the program that the options name for it, or NULL */
    const char *folder;     /* the folder, named by the options, that contains it, or NULL */
    bool is_found;          /* found in a project; no option named it */
    bool is_used;
    toll_sbf_symbols symbols;
} toll_sbf_build;

enum {
    TOLL_SBF_MOST_TARGETS = 16, /* how many folders are searched for a `target` */
    TOLL_SBF_STAGES = 3         /* files that the options name; deployed files; unstripped files */
};

/* A folder `target`. */
typedef struct toll_sbf_target {
    const char *path; /* in the strings */
    toll_os_info info;
} toll_sbf_target;

typedef struct toll_sbf_programs {
    toll_mem mem;
    /* Borrowed; never NULL while programs are added. */
    toll_failure *failure;
    const toll_solana_options *own;
    const toll_format_options *options; /* for warnings */
    toll_strtab *strings;
    toll_solana_names *names;
    toll_recorder *recorder;
    /* Is every instruction that the program ran in this code? False: a failure. */
    bool (*has_run)(void *user, const toll_sbf_program *program, const toll_sbf_symbols *code,
                    bool *out);
    void *user;

    toll_sbf_program *list;
    size_t count, capacity;
    toll_sbf_build *builds;
    size_t build_count, build_capacity;
    struct {
        size_t first, end; /* builds [first, end) */
    } stages[TOLL_SBF_STAGES];
    size_t stage_count; /* how many of them were searched */
    toll_sbf_target targets[TOLL_SBF_MOST_TARGETS];
    size_t target_count;
    bool has_listed_targets;
    uint64_t unread;                      /* unreadable files in folders that the options name */
    uint64_t named[TOLL_SBF_UNNAMED + 1]; /* functions of programs that have a build, by how the
                                           * name is known */
    toll_u64map syscalls;                 /* hash -> frame */
    toll_buffer path, name;
} toll_sbf_programs;

/* Before the number of the first instruction, in the names of functions that have none. */
#define TOLL_SBF_NUMBERED "fn@"

/* Notes of profiles. */
#define TOLL_SBF_TEXT_NAMED "functions named by the symbols of the program that ran"
#define TOLL_SBF_TEXT_DYNAMIC                                                                      \
    "functions of stripped programs named by .dynsym, or as where the program begins"
#define TOLL_SBF_TEXT_SHAPE "functions named by those of another build that have the same code"
#define TOLL_SBF_TEXT_LIBRARY                                                                      \
    "functions without a name in the program's file: named by code that libraries have"
#define TOLL_SBF_TEXT_UNNAMED "functions without a name: the program's file has none"
#define TOLL_SBF_TEXT_LOST "returns to where no call was made"
#define TOLL_SBF_TEXT_OUTER "returns past the caller"

/* Initialise; then set the borrowed members. */
void toll_sbf_programs_init(toll_sbf_programs *all, const toll_mem *mem);
void toll_sbf_programs_free(toll_sbf_programs *all);

/* The program of that ID, made with its frames if need be. */
bool toll_sbf_add_program(toll_sbf_programs *all, const char *id, uint32_t *out);

/* The program of that ID and these instructions, which are copied. Programs with one ID and
 * different instructions are different programs; text_size 0: the instructions are not known. */
bool toll_sbf_add_code(toll_sbf_programs *all, const char *id, const uint8_t *text,
                       size_t text_size, uint32_t *out);

/* Give a program its constants, before its functions have frames; nothing is kept of them. */
bool toll_sbf_add_constants(toll_sbf_programs *all, uint32_t program,
                            const toll_sbf_constants *constants);

/* The frame of an invocation of the program, with the name of its instruction ("" if not known),
 * and `(one of N)` if it may have another trace; else N is 0 or 1. */
bool toll_sbf_invocation_frame(toll_sbf_programs *all, uint32_t program, const char *instruction,
                               bool has_failed, uint32_t one_of, toll_frame_id *out);

/* Add files to the builds: those that the options name; those of target/deploy; those of
 * target/.../release; and of the latter those with the name of `path`, also in the `target` that
 * contains it (sbf_build_files.c). */
bool toll_sbf_read_builds(toll_sbf_programs *all);
bool toll_sbf_find_deployed(toll_sbf_programs *all);
bool toll_sbf_find_unstripped(toll_sbf_programs *all);
bool toll_sbf_find_twins(toll_sbf_programs *all, const char *path);

/* Find the build of a program, and names for it if it is stripped; or the builds of all, with
 * warnings about files that none of them uses. Get the program's build, or NULL (sbf_builds.c). */
bool toll_sbf_choose_build(toll_sbf_programs *all, uint32_t program);
bool toll_sbf_choose_builds(toll_sbf_programs *all, const char *folder);
const toll_sbf_build *toll_sbf_build_of(const toll_sbf_programs *all,
                                        const toll_sbf_program *program);

/* Get the frame of the function entered at pc `entry`, named by the ELF file's symbols, else by
 * that number; of the place of the instruction at `pc` in it; of a system call (sbf_frames.c). */
bool toll_sbf_function(toll_sbf_programs *all, toll_sbf_program *program, uint64_t entry,
                       toll_frame_id *out);
bool toll_sbf_place(toll_sbf_programs *all, toll_sbf_program *program, uint64_t entry, uint64_t pc,
                    toll_frame_id *out);
bool toll_sbf_syscall_frame(toll_sbf_programs *all, uint32_t hash, toll_frame_id *out);

#endif
