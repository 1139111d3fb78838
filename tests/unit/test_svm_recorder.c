/* test_svm_recorder.c - a Solana VM's programs, recorded while they run: what each invocation,
 * function, system call and section is charged. */
#include "support_sbf.h"

#include "sbf/sbf_programs.h"
#include "sbf/svm_recorder_data.h"

#include <toll/svm_recorder.h>

#define AT(units_left) (&(uint64_t){ units_left })

enum { STACK = 0x1000 };

/* The program of all tests: pc 0 calls the function at 3, 1 is a system call, 2 and 4 return. */
static const uint8_t ops[] = { CALL, CALL, EXIT, OTHER, EXIT };
enum { TEXT_SIZE = sizeof ops * TOLL_SBF_INSN_SIZE };

static char log_text[1024];

static char swap_id[] = "swap";
static const toll_svm_call swap = { swap_id, 0, 4, 0, 0 }; /* of a section */

static const void *translate(void *memory, uint64_t address, uint64_t size)
{
    (void)size;
    return (const char *)memory + address;
}

static void log_line(void *user, const char *line, size_t size)
{
    (void)user;
    strncat(log_text, line, size);
    strcat(log_text, "\n");
}

typedef struct machine {
    toll_svm_recorder *recorder;
    toll_frame_id syscall;
    uint32_t token, system;
} machine;

static void make_text(uint8_t *text)
{
    memset(text, 0, TEXT_SIZE);
    for (size_t i = 0; i < sizeof ops; i++)
        text[i * TOLL_SBF_INSN_SIZE] = ops[i];
    put(text + TOLL_SBF_INSN_SIZE + 4, SOL_LOG, 4);
}

static toll_status make(const toll_allocator *a, const toll_solana_options *programs, machine *m,
                        toll_error *error)
{
    uint8_t text[TEXT_SIZE];
    const toll_svm_options syscalls = { .size = sizeof syscalls,
                                        .translate = translate,
                                        .log = log_line };
    const toll_svm_recorder_options o = { .size = sizeof o,
                                          .allocator = a,
                                          .syscalls = &syscalls,
                                          .programs = programs,
                                          .warn = keep_warning };
    *warnings = *log_text = 0;
    make_text(text);
    toll_status status = toll_svm_recorder_create(&o, &m->recorder, error);
    if (!status)
        status = toll_svm_recorder_program(m->recorder, TOKEN, text, sizeof text, &m->token, error);
    if (!status)
        status = toll_svm_recorder_program(m->recorder, SYSTEM, NULL, 0, &m->system, error);
    if (!status)
        status = toll_svm_recorder_add_syscall(m->recorder, "sol_log_", &m->syscall, error);
    return status;
}

static machine make_machine(void)
{
    machine m;
    assert_ok(make(NULL, NULL, &m, err));
    return m;
}

/* Instructions at these pcs; the function at 3 has a frame of its own. */
static void run(const machine *m, const uint64_t *pcs, size_t count, uint64_t left)
{
    uint8_t regs[8 * TOLL_SVM_REGISTERS_SIZE];
    memset(regs, 0x5a, sizeof regs);
    for (size_t i = 0; i < count; i++) {
        put(regs + i * TOLL_SVM_REGISTERS_SIZE + 80, STACK * (1 + (pcs[i] >= 3)), 8);
        put(regs + i * TOLL_SVM_REGISTERS_SIZE + 88, pcs[i], 8);
    }
    toll_svm_recorder_run(m->recorder, regs, count, &left, NULL);
}

#define RUN(m, left, ...)                                                                          \
    run(m, (const uint64_t[]){ __VA_ARGS__ },                                                      \
        sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), left)

static void push(const machine *m, uint32_t program, uint64_t heap_units, uint64_t left)
{
    const toll_svm_invocation i = { .program = program, .heap_units = heap_units };
    toll_svm_recorder_push(m->recorder, &i, &left, NULL);
}

static void pop(const machine *m, int failed, uint64_t left)
{
    toll_svm_recorder_pop(m->recorder, failed, NULL, &left, NULL, NULL);
}

static toll_profile *take(machine *m)
{
    toll_profile *p;
    assert_ok(toll_svm_recorder_take(m->recorder, &p, err));
    assert_ok(toll_svm_note_names(p, err));
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

static toll_profile *take_and_free(machine *m)
{
    toll_profile *p = take(m);
    toll_svm_recorder_free(m->recorder);
    return p;
}

static void test_functions_and_system_calls(void **state)
{
    (void)state;
    machine m = make_machine();
    push(&m, m.token, 8, 1000);
    RUN(&m, 988, 0, 3, 4, 1);
    toll_svm_recorder_syscall(m.recorder, m.syscall, AT(988));
    toll_svm_recorder_syscall_end(m.recorder, AT(888));
    RUN(&m, 887, 2);
    assert_ok(toll_svm_recorder_pop(m.recorder, 0, "Swap", AT(887), NULL, err));
    toll_profile *p = take_and_free(&m);
    assert_int_equal(cost(p, "Token: Swap"), 0);
    assert_int_equal(cost(p, "Token: Swap;(heap frame)"), 8);
    assert_int_equal(cost(p, "Token: Swap;entrypoint"), 3);
    assert_int_equal(cost(p, "Token: Swap;entrypoint;fn@3"), 2);
    assert_int_equal(cost(p, "Token: Swap;entrypoint;sol_log_"), 100);
    assert_int_equal(calls(p, "Token: Swap;entrypoint;sol_log_"), 1);
    assert_int_equal(total(p), 1000 - 887);
    assert_int_equal(test_note(p, "functions without a name"), 1); /* fn@3 */
    assert_int_equal(toll_profile_note_count(p), 1);
    toll_profile_free(p);
}

/* The callee's units are its own; the caller's system call has the rest. */
static void test_invocations_in_system_calls(void **state)
{
    static const uint8_t transfer[] = { 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 };
    (void)state;
    machine m = make_machine();
    push(&m, m.token, 0, 1000);
    RUN(&m, 998, 0, 1);
    toll_svm_recorder_syscall(m.recorder, m.syscall, AT(998));
    const toll_svm_invocation inner = { m.system, transfer, sizeof transfer, 0 };
    assert_ok(toll_svm_recorder_push(m.recorder, &inner, AT(900), err));
    assert_int_equal(toll_svm_recorder_depth(m.recorder), 2);
    pop(&m, 0, 750);
    toll_svm_recorder_syscall_end(m.recorder, AT(740));
    RUN(&m, 739, 2);
    pop(&m, 0, 739);
    toll_profile *p = take_and_free(&m);
    assert_int_equal(cost(p, "Token;entrypoint;sol_log_"), 98 + 10);
    assert_int_equal(cost(p, "Token;entrypoint;sol_log_;System: Transfer"), 150);
    assert_int_equal(total(p), 1000 - 739);
    toll_profile_free(p);
}

/* The VM takes the rest of the budget; of what it charges no more is an instruction's than there
 * was. */
static void test_programs_that_are_stopped(void **state)
{
    (void)state;
    machine m = make_machine();
    push(&m, m.token, 0, 500);
    RUN(&m, 0, 0, 3);
    pop(&m, 1, 0);
    push(&m, m.token, 0, 3); /* another transaction; two of the instructions are not charged */
    RUN(&m, 0, 0, 3, 4, 1, 2);
    pop(&m, 1, 0);
    push(&m, m.token, 64, 20); /* the heap alone is too expensive */
    RUN(&m, 0, 0);
    pop(&m, 1, 0);
    push(&m, m.system, 0, 90); /* a built-in program does not run instructions */
    pop(&m, 1, 0);
    toll_profile *p = take_and_free(&m);
    assert_int_equal(cost(p, "Token (failed);(rest of the budget)"), 498);
    assert_int_equal(cost(p, "Token (failed);(heap frame)"), 20);
    assert_int_equal(cost(p, "Token (failed);entrypoint"), 1 + 1);
    assert_int_equal(cost(p, "Token (failed);entrypoint;fn@3"), 1 + 2);
    assert_int_equal(cost(p, "System (failed)"), 90);
    assert_int_equal(total(p), 500 + 3 + 20 + 90);
    toll_profile_free(p);
}

/* The runtime lacks a system call: its call is in the trace twice, and costs what a call costs. */
static void test_an_instruction_that_is_refused(void **state)
{
    (void)state;
    machine m = make_machine();
    push(&m, m.token, 0, 500);
    RUN(&m, 0, 0, 3, 4, 1, 1);
    pop(&m, 1, 0);
    push(&m, m.token, 0, 500); /* the first one */
    RUN(&m, 0, 1, 1);
    pop(&m, 1, 0);
    toll_profile *p = take_and_free(&m);
    assert_int_equal(cost(p, "Token (failed);entrypoint"), 2 + 1);
    assert_int_equal(cost(p, "Token (failed);entrypoint;fn@3"), 2);
    assert_int_equal(cost(p, "Token (failed);(rest of the budget)"), 496 + 499);
    assert_int_equal(toll_profile_node_count(p), 1 + 4);
    toll_profile_free(p);
}

/* Units that nothing explains are charged where they were spent, and counted. */
static void test_units_that_nothing_explains(void **state)
{
    (void)state;
    machine m = make_machine();
    push(&m, m.token, 0, 1000);
    RUN(&m, 990, 0, 1); /* two instructions, ten units */
    toll_svm_recorder_syscall(m.recorder, m.syscall, AT(990));
    toll_svm_recorder_syscall_end(m.recorder, AT(980));
    RUN(&m, 970, 2);
    pop(&m, 0, 970);
    toll_profile *p = take_and_free(&m);
    assert_int_equal(cost(p, "Token;entrypoint"), 2 + 8 + 1);
    assert_int_equal(cost(p, "Token"), 9);
    assert_int_equal(total(p), 30);
    assert_int_equal(test_note(p, "compute units within programs that no instruction explains"),
                     8 + 9);
    toll_profile_free(p);
}

/* Events of other kinds move the clock, too: no unit is charged twice. */
static void test_invocations_and_sections_without_instructions(void **state)
{
    (void)state;
    machine m = make_machine();
    toll_section_results results;
    push(&m, m.token, 0, 1000);
    assert_int_equal(toll_svm_start(toll_svm_recorder_sections(m.recorder), &swap, AT(900)),
                     TOLL_SVM_OK);
    push(&m, m.system, 0, 800);
    pop(&m, 0, 600);
    RUN(&m, 598, 0, 1);
    assert_ok(toll_svm_recorder_pop(m.recorder, 1, NULL, AT(500), &results, err));
    assert_int_equal(results.open_count, 1);
    assert_int_equal(results.open[0].total, 900 - 598);
    toll_profile *p = take_and_free(&m);
    assert_int_equal(cost(p, "Token (failed);(rest of the budget)"), 98);
    assert_int_equal(cost(p, "Token (failed);swap;System"), 200);
    assert_int_equal(total(p), 500);
    assert_int_equal(test_note(p, "steps of a counter in the wrong direction"), 0);
    toll_profile_free(p);
}

/* An end without a begin leaves nothing that it did not begin. */
static void test_ends_of_system_calls_that_did_not_begin(void **state)
{
    (void)state;
    machine m = make_machine();
    push(&m, m.token, 0, 100);
    toll_svm_recorder_syscall_end(m.recorder, AT(90));
    RUN(&m, 88, 0, 3);
    toll_svm_recorder_syscall_end(m.recorder, AT(80));
    pop(&m, 0, 88);
    toll_profile *p = take_and_free(&m);
    assert_int_equal(cost(p, "Token;entrypoint;fn@3"), 1);
    assert_int_equal(total(p), 12);
    toll_profile_free(p);
}

static void test_sections_among_functions(void **state)
{
    (void)state;
    machine m = make_machine();
    toll_section_results results;
    push(&m, m.token, 0, 1000);
    RUN(&m, 998, 0, 3); /* begins within the function, */
    assert_int_equal(toll_svm_start(toll_svm_recorder_sections(m.recorder), &swap, AT(998)),
                     TOLL_SVM_OK);
    RUN(&m, 996, 4, 1); /* which returns */
    assert_int_equal(toll_svm_end(toll_svm_recorder_sections(m.recorder), &swap, AT(996)),
                     TOLL_SVM_OK);
    RUN(&m, 995, 2);
    assert_ok(toll_svm_recorder_pop(m.recorder, 0, NULL, AT(995), &results, err));
    assert_int_equal(results.ended_count, 1);
    assert_int_equal(results.ended[0].total, 2);
    assert_string_equal(log_text, "CU log:  1 swap consumed      2 CU (net      2 CU)\n");
    toll_profile *p = take_and_free(&m);
    assert_int_equal(cost(p, "Token;entrypoint;fn@3"), 1);
    assert_int_equal(cost(p, "Token;entrypoint;fn@3;swap"), 1);
    assert_int_equal(cost(p, "Token;entrypoint;swap"), 1);
    assert_int_equal(total(p), 5);
    toll_profile_free(p);
}

/* More invocations than have a frame each: the profile has one, and the memory is that of some. */
static void test_many_invocations_are_one_frame(void **state)
{
    (void)state;
    machine m = make_machine();
    for (int i = 0; i < 1000; i++) {
        push(&m, m.token, 0, 100);
        RUN(&m, 98, 0, 3);
        pop(&m, i % 4 == 0, 98);
    }
    assert_ok(toll_svm_recorder_note(m.recorder, "a note", 3, err));
    toll_profile *p = take(&m);
    assert_int_equal(calls(p, "Token"), 750);
    assert_int_equal(calls(p, "Token (failed)"), 250);
    assert_int_equal(cost(p, "Token;entrypoint;fn@3"), 750);
    assert_int_equal(toll_profile_node_count(p), 1 + 2 * 3);
    assert_int_equal(test_note(p, "a note"), 3);
    toll_profile_free(p);
    p = take_and_free(&m); /* nothing is there twice */
    assert_int_equal(total(p), 0);
    toll_profile_free(p);
}

/* The runs say by which table of costs they were charged. */
static void test_costs(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *kind;
    } cases[] = {
        { NULL, NULL, "engine=Solana runtime; toll=" TOLL_VERSION_STRING },
        { "a", "a", "costs=a; engine=Solana runtime; toll=" TOLL_VERSION_STRING },
        { "a", "b", "costs=several tables; engine=Solana runtime; toll=" TOLL_VERSION_STRING },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        machine m = make_machine();
        uint64_t count;
        if (cases[i].first) {
            assert_ok(toll_svm_recorder_costs(m.recorder, cases[i].first, err));
            assert_ok(toll_svm_recorder_costs(m.recorder, cases[i].second, err));
        }
        toll_profile *p = take_and_free(&m);
        assert_int_equal(toll_profile_run_kind_count(p), 1);
        assert_string_equal(toll_profile_run_kind(p, 0, &count), cases[i].kind);
        toll_profile_free(p);
    }
}

/* A program that was replaced under the same address is another program; its functions are not
 * those of the first. */
static void test_programs_with_one_address(void **state)
{
    (void)state;
    machine m = make_machine();
    uint8_t text[TEXT_SIZE];
    uint32_t again, other, shorter;
    make_text(text);
    assert_ok(toll_svm_recorder_program(m.recorder, TOKEN, text, sizeof text, &again, err));
    text[0] = OTHER;
    assert_ok(toll_svm_recorder_program(m.recorder, TOKEN, text, sizeof text, &other, err));
    assert_ok(toll_svm_recorder_program(m.recorder, TOKEN, text, 8, &shorter, err));
    assert_int_equal(again, m.token);
    assert_true(other != m.token && shorter != other && shorter != m.token);
    push(&m, other, 0, 100);
    RUN(&m, 98, 0, 1);
    pop(&m, 0, 98);
    toll_profile *p = take_and_free(&m);
    assert_int_equal(cost(p, "Token;entrypoint"), 2);
    toll_profile_free(p);
}

/* The same program under many addresses: its code is kept once. */
static void test_programs_with_one_code(void **state)
{
    (void)state;
    machine m = make_machine();
    uint8_t text[TEXT_SIZE];
    uint32_t same;
    make_text(text);
    assert_ok(toll_svm_recorder_program(m.recorder, CALLER, text, sizeof text, &same, err));
    assert_int_not_equal(same, m.token);
    const toll_sbf_program *list = m.recorder->programs.list;
    assert_ptr_equal(list[same].text, list[m.token].text);
    push(&m, same, 0, 100);
    RUN(&m, 98, 0, 3);
    pop(&m, 0, 98);
    toll_profile *p = take_and_free(&m);
    assert_int_equal(cost(p, "Associated Token: Create;entrypoint;fn@3"), 1);
    toll_profile_free(p);
}

static bool has_module(const toll_profile *p, const char *module)
{
    for (uint32_t i = 0; i < toll_profile_frame_count(p); i++) {
        const char *of_frame = toll_profile_frame(p, i).module;
        if (of_frame && strcmp(of_frame, module) == 0)
            return true;
    }
    return false;
}

/* Functions have the names of the file whose code is the program's, apart from the addresses that
 * the loader has written into it; a file of other code has none to give. */
static void test_names_of_the_file_that_has_the_code(void **state)
{
    static const uint8_t in_file[16] = { 0xb7, 0, 0, 0, 1, 0, 0, 0, EXIT_OPCODE };
    static const uint8_t constant[16] = { 0x18 }; /* an address, as the file has it, */
    static const uint8_t loaded[16] = { 0x18, 0, 0, 0, 0x34, 0x12, 0, 0, 0, 0, 0, 0, 1 };
    static const uint8_t other[16] = { 0xb7, 0, 0, 0, 2, 0, 0, 0, EXIT_OPCODE };
    static const struct {
        const uint8_t *file, *program;
        int is_it;
    } cases[] = { { in_file, in_file, 1 }, { constant, loaded, 1 }, { in_file, other, 0 } };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static uint8_t elf[ELF_ID_SIZE];
        size_t note, size = make_elf_with_id(elf, &note), at = 0;
        while (memcmp(elf + at, in_file, sizeof in_file) != 0)
            at++;
        memcpy(elf + at, cases[i].file, sizeof in_file);
        save("program.so", elf, size);
        const toll_program_file file = { NULL, test_path("program.so") };
        const toll_solana_options programs = { .size = sizeof programs,
                                               .elfs = &file,
                                               .elf_count = 1 };
        machine m;
        uint32_t program;
        assert_ok(make(NULL, &programs, &m, err));
        assert_ok(
            toll_svm_recorder_program(m.recorder, CALLER, cases[i].program, 16, &program, err));
        push(&m, program, 0, 10);
        RUN(&m, 9, 0);
        pop(&m, 0, 9);
        toll_profile *p = take_and_free(&m);
        assert_int_equal(total(p), 1);
        assert_int_equal(has_module(p, "program.so"), cases[i].is_it);
        toll_profile_free(p);
    }
}

static void test_a_profile_is_taken_between_invocations(void **state)
{
    (void)state;
    machine m = make_machine();
    toll_error error = { TOLL_OK, "" };
    toll_profile *p;
    push(&m, m.token, 0, 100);
    assert_int_equal(toll_svm_recorder_take(m.recorder, &p, &error), TOLL_E_ARGUMENT);
    assert_null(p);
    assert_string_equal(error.text, "toll_svm_recorder_take: an invocation is open; take the "
                                    "profile after its end");
    pop(&m, 0, 90);
    pop(&m, 0, 90); /* one too many */
    RUN(&m, 80, 0); /* nothing runs */
    p = take_and_free(&m);
    assert_int_equal(cost(p, "Token"), 10);
    assert_int_equal(total(p), 10);
    toll_profile_free(p);
}

/* --- for lack of memory ------------------------------------------------------------------------*/

/* Whatever allocation fails, invocations end, and what was recorded has a sound profile. */
static toll_status record(const toll_allocator *a, void *user)
{
    machine m = { .recorder = NULL };
    toll_profile *p = NULL;
    (void)user;
    toll_status status = make(a, NULL, &m, NULL);
    if (!status) {
        push(&m, m.token, 8, 1000);
        RUN(&m, 990, 0, 3);
        RUN(&m, 988, 4, 1); /* a return */
        toll_svm_recorder_syscall(m.recorder, m.syscall, AT(988));
        push(&m, m.token, 8, 980);
        RUN(&m, 960, 0, 3);
        pop(&m, 1, 960);
        toll_svm_recorder_syscall_end(m.recorder, AT(888));
        RUN(&m, 887, 2);
        pop(&m, 0, 887);
        assert_int_equal(toll_svm_recorder_depth(m.recorder), 0);
        status = toll_svm_recorder_take(m.recorder, &p, NULL);
    }
    if (p && toll_profile_check(p, 0, NULL) != TOLL_OK)
        status = toll_profile_check(p, 0, NULL); /* which needs memory, too */
    toll_profile_free(p);
    toll_svm_recorder_free(m.recorder);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    test_allocations(record, NULL, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_and_system_calls),
        cmocka_unit_test(test_invocations_in_system_calls),
        cmocka_unit_test(test_programs_that_are_stopped),
        cmocka_unit_test(test_an_instruction_that_is_refused),
        cmocka_unit_test(test_units_that_nothing_explains),
        cmocka_unit_test(test_invocations_and_sections_without_instructions),
        cmocka_unit_test(test_ends_of_system_calls_that_did_not_begin),
        cmocka_unit_test(test_sections_among_functions),
        cmocka_unit_test(test_many_invocations_are_one_frame),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_programs_with_one_address),
        cmocka_unit_test(test_programs_with_one_code),
        IN_FOLDER(test_names_of_the_file_that_has_the_code),
        cmocka_unit_test(test_a_profile_is_taken_between_invocations),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
