/* support_sbf.h - for tests of register traces: saves traces and logs in a folder, and reads it. */
#ifndef TOLL_TESTS_SUPPORT_SBF_H
#define TOLL_TESTS_SUPPORT_SBF_H

#include "support_elf.h"
#include "support_folder.h"

#include "sbf/sbf_elf.h"
#include "sbf/sbf_scan.h"
#include "solana/solana.h"

#include <inttypes.h>

#define TOKEN "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
#define CALLER "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"
#define SYSTEM "11111111111111111111111111111111"

enum { CALL = 0x85, CALLX = 0x8d, EXIT = 0x95, EXIT_V3 = 0x9d, OTHER = 0xbf };

/* Hashes of names of system calls. */
#define SOL_LOG UINT32_C(0x207559bd)
#define SOL_INVOKE UINT32_C(0xd7449092)

typedef struct step {
    uint64_t pc;
    uint8_t op;
    uint32_t imm;
    uint64_t r10;
} step;

/* Registers 0 to 5 of each step of the traces that are saved; NULL: 0. */
static const uint64_t (*step_regs)[6];

/* --- files -------------------------------------------------------------------------------------*/

static inline void save(const char *file, const void *data, size_t size)
{
    FILE *f = fopen(test_path(file), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static inline void save_text(const char *file, const char *text)
{
    save(file, text, strlen(text));
}

static inline void save_trace(const char *name, const char *program, const step *steps,
                              size_t count)
{
    char file[64];
    uint8_t *regs = calloc(count, TOLL_SBF_REGS_SIZE), *insns = calloc(count, TOLL_SBF_INSN_SIZE);
    assert_true(regs && insns);
    for (size_t i = 0; i < count; i++) {
        /* The values of the other registers do not matter. */
        memset(regs + i * TOLL_SBF_REGS_SIZE, i % 2 ? 0xff : 0x5a, 80);
        for (size_t r = 0; r < 6; r++)
            put(regs + i * TOLL_SBF_REGS_SIZE + 8 * r, step_regs ? step_regs[i][r] : 0, 8);
        put(regs + i * TOLL_SBF_REGS_SIZE + 80, steps[i].r10, 8);
        put(regs + i * TOLL_SBF_REGS_SIZE + 88, steps[i].pc, 8);
        insns[i * TOLL_SBF_INSN_SIZE] = steps[i].op;
        put(insns + i * TOLL_SBF_INSN_SIZE + 4, steps[i].imm, 4);
    }
    snprintf(file, sizeof file, "%s.regs", name);
    save(file, regs, count * TOLL_SBF_REGS_SIZE);
    snprintf(file, sizeof file, "%s.insns", name);
    save(file, insns, count * TOLL_SBF_INSN_SIZE);
    snprintf(file, sizeof file, "%s.program_id", name);
    save_text(file, program);
    free(regs);
    free(insns);
}

#define SAVE_TRACE(name, program, steps)                                                           \
    save_trace(name, program, steps, sizeof steps / sizeof *steps)

/* --- reading -----------------------------------------------------------------------------------*/

static char warnings[2048];

static inline void keep_warning(void *user, const char *text)
{
    (void)user;
    strncat(warnings, text, sizeof warnings - strlen(warnings) - 1);
}

static int want_lines; /* 1: read_with asks for places */

static inline toll_status read_with(const toll_allocator *a, const toll_program_file *elf,
                                    const char *logs, toll_profile **out, toll_error *err)
{
    char path[256];
    toll_solana_options solana = {
        .size = sizeof solana, .elfs = elf, .elf_count = elf != NULL, .lines = want_lines
    };
    const toll_reader_options reader = { "solana", &solana, NULL };
    const toll_format_options options = {
        .size = sizeof options, .warn = keep_warning, .readers = &reader, .reader_count = 1
    };
    if (logs) {
        snprintf(path, sizeof path, "%s/%s", test_folder, logs);
        solana.logs = path;
    }
    *warnings = 0;
    return toll_profile_load(a, test_folder, "sbf-trace", &options, NULL, out, err);
}

static inline toll_profile *read_traces(const toll_program_file *elf, const char *logs)
{
    toll_profile *p;
    assert_ok(read_with(NULL, elf, logs, &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    assert_string_equal(toll_profile_column(p, 0).type, "calls");
    assert_string_equal(toll_profile_column(p, 1).type, "compute units");
    assert_string_equal(toll_profile_column(p, 1).unit, "CU");
    return p;
}

static inline void expect_error(const char *logs, toll_status status, const char *text)
{
    toll_profile *p;
    toll_error err = { TOLL_OK, "" };
    assert_int_equal(read_with(NULL, NULL, logs, &p, &err), status);
    assert_null(p);
    assert_true(strncmp(err.text, test_folder, strlen(test_folder)) == 0);
    assert_string_equal(err.text + strlen(test_folder), text);
}

static inline int64_t cost(const toll_profile *p, const char *stack)
{
    return test_self(p, "main", stack, 1);
}

static inline int64_t calls(const toll_profile *p, const char *stack)
{
    return test_self(p, "main", stack, 0);
}

static inline int64_t total(const toll_profile *p)
{
    int64_t sum = 0;
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++)
        sum += toll_profile_self(p, n, 1);
    return sum;
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, test_make_folder, test_remove_folder)

#endif
