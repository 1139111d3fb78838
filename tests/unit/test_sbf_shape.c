/* test_sbf_shape.c - functions of a stripped program get the names of functions with the same code
 * in another build. What linkers write into code is ignored, and nothing is guessed. */
#include "support.h"

#include "sbf/sbf_shape.h"

enum { SLOT = 8, ADDRESS = 0x1000 };

/* A program that grows by an instruction at a time. */
typedef struct build {
    toll_sbf_symbols s;
    size_t count;
} build;

static toll_mem mem;

static void begin(build *b, unsigned version)
{
    b->count = 0;
    toll_sbf_symbols_init(&b->s, &mem);
    b->s.text_address = ADDRESS;
    b->s.version = version;
}

static void add(build *b, uint8_t op, uint8_t regs, uint32_t imm)
{
    const uint8_t insn[SLOT] = { op,
                                 regs,
                                 0,
                                 0,
                                 (uint8_t)imm,
                                 (uint8_t)(imm >> 8),
                                 (uint8_t)(imm >> 16),
                                 (uint8_t)(imm >> 24) };
    assert_true(toll_buffer_append(&b->s.text, insn, SLOT));
    b->count++;
}

static void name_last(build *b, const char *name, size_t count)
{
    assert_true(toll_sbf_symbols_add(&b->s, name, ADDRESS + (b->count - count) * SLOT, count * SLOT,
                                     TOLL_SBF_BY_SYMBOL));
}

/* Code that is like no other: `count` instructions from the constant `first` on. */
static void fill(build *b, uint32_t first, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(b, 0xb7, 1, first + (uint32_t)i);
}

static size_t find(build *program, build *other, toll_sbf_shapes *out)
{
    toll_sbf_shapes shapes;
    toll_sbf_symbols_sort(&other->s);
    assert_true(toll_sbf_shapes_add(&program->s, &other->s, &shapes));
    if (out)
        *out = shapes;
    return shapes.found;
}

static void end(build *program, build *other)
{
    toll_sbf_symbols_free(&program->s);
    toll_sbf_symbols_free(&other->s);
}

/* Moved, with another target of a call and other addresses of data: the same function. */
static void test_shape_ignores_what_linkers_write(void **state)
{
    build program, other;
    toll_sbf_how how;
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        build *b = turn ? &other : &program;
        begin(b, 0);
        fill(b, 1000, turn ? 3 : 50);
        fill(b, 20, 6);
        add(b, 0x85, 0x10, turn ? 77 : 0xffffffff);
        add(b, 0x18, 2, turn ? 0x500 : 0x900);
        add(b, 0, 0, turn ? 1 : 0);
        add(b, 0xb4, 3, turn ? 0x500 : 0x900);
        add(b, 0xf7, 3, 1);
        add(b, 0x95, 0, 0);
        if (turn)
            name_last(b, "swap", 12);
        fill(b, 3000, 9);
    }
    program.s.is_stripped = true;
    toll_sbf_shapes shapes;
    assert_int_equal(find(&program, &other, &shapes), 1);
    assert_int_equal(shapes.functions, 1);
    assert_string_equal(toll_sbf_symbols_find(&program.s, 50, &how), "swap");
    assert_int_equal(how, TOLL_SBF_BY_SHAPE);
    assert_string_equal(toll_sbf_symbols_find(&program.s, 61, NULL), "swap");
    assert_null(toll_sbf_symbols_find(&program.s, 62, &how));
    assert_int_equal(how, TOLL_SBF_UNNAMED);
    assert_null(toll_sbf_symbols_find(&program.s, 49, NULL));
    end(&program, &other);
}

/* A function of 10 instructions, with the constant 1 in its last one in the other build, and `last`
 * in the program; how often each of them has it. */
static size_t find_with(uint32_t last, size_t in_program, size_t in_other)
{
    build program, other;
    begin(&program, 0);
    begin(&other, 0);
    for (size_t i = 0; i < in_program; i++) {
        fill(&program, 500 + 10 * (uint32_t)i, 2);
        fill(&program, 20, 9);
        add(&program, 0xb7, 0, last);
    }
    for (size_t i = 0; i < in_other; i++) {
        fill(&other, 20, 9);
        add(&other, 0xb7, 0, 1);
        name_last(&other, i ? "second" : "first", 10);
    }
    size_t found = find(&program, &other, NULL);
    end(&program, &other);
    return found;
}

static void test_shape_names_only_what_is_unique_in_both(void **state)
{
    (void)state;
    assert_int_equal(find_with(1, 1, 1), 1);
    assert_int_equal(find_with(1, 2, 1), 0); /* which of the two? */
    assert_int_equal(find_with(1, 1, 2), 0); /* whose name? */
    assert_int_equal(find_with(2, 1, 1), 0); /* another function */
    assert_int_equal(find_with(1, 0, 1), 0);
}

/* Of 7 instructions is none, of 8 there is a shape. */
static void test_shape_of_short_functions(void **state)
{
    (void)state;
    for (size_t count = 7; count <= 8; count++) {
        build program, other;
        begin(&program, 0);
        begin(&other, 0);
        fill(&program, 20, count);
        fill(&other, 20, count);
        name_last(&other, "short", count);
        assert_int_equal(find(&program, &other, NULL), count == 8);
        end(&program, &other);
    }
}

/* Two functions of the build, one of which begins as the other does, are both at one place. */
static void test_shape_of_a_beginning(void **state)
{
    build program, other;
    (void)state;
    begin(&program, 0);
    begin(&other, 0);
    fill(&program, 20, 16);
    fill(&other, 20, 10);
    name_last(&other, "beginning", 10);
    fill(&other, 900, 1);
    fill(&other, 20, 16);
    name_last(&other, "whole", 16);
    assert_int_equal(find(&program, &other, NULL), 0);
    end(&program, &other);
}

/* Symbols that are not in the code, or not at an instruction; one whose size is not known ends
 * where the next begins; of two at one address the first counts. */
static void test_shape_of_odd_symbols(void **state)
{
    build program, other;
    (void)state;
    begin(&program, 0);
    begin(&other, 0);
    fill(&program, 20, 40);
    fill(&other, 20, 20);
    fill(&other, 900, 20);
    assert_true(toll_sbf_symbols_add(&other.s, "before", ADDRESS - 8, 80, TOLL_SBF_BY_SYMBOL));
    assert_true(toll_sbf_symbols_add(&other.s, "askew", ADDRESS + 4, 80, TOLL_SBF_BY_SYMBOL));
    assert_true(toll_sbf_symbols_add(&other.s, "behind", ADDRESS + 320, 80, TOLL_SBF_BY_SYMBOL));
    assert_true(
        toll_sbf_symbols_add(&other.s, "huge", ADDRESS + 8, UINT64_MAX, TOLL_SBF_BY_SYMBOL));
    assert_true(toll_sbf_symbols_add(&other.s, "sized", ADDRESS, 80, TOLL_SBF_BY_SYMBOL));
    assert_true(toll_sbf_symbols_add(&other.s, "twin", ADDRESS, 80, TOLL_SBF_BY_SYMBOL));
    assert_true(toll_sbf_symbols_add(&other.s, "open", ADDRESS + 80, 0, TOLL_SBF_BY_SYMBOL));
    assert_true(toll_sbf_symbols_add(&other.s, "next", ADDRESS + 160, 0, TOLL_SBF_BY_SYMBOL));
    assert_int_equal(find(&program, &other, NULL), 2);
    assert_string_equal(toll_sbf_symbols_find(&program.s, 0, NULL), "sized");
    assert_string_equal(toll_sbf_symbols_find(&program.s, 10, NULL), "open");
    assert_null(toll_sbf_symbols_find(&program.s, 20, NULL));
    end(&program, &other);
}

/* A name that the program has itself counts. */
static void test_shape_does_not_replace_names(void **state)
{
    build program, other;
    toll_sbf_how how;
    (void)state;
    begin(&program, 0);
    begin(&other, 0);
    fill(&program, 20, 20);
    fill(&other, 20, 20);
    name_last(&other, "by_shape", 20);
    assert_true(toll_sbf_symbols_add(&program.s, "own", ADDRESS, 0, TOLL_SBF_BY_DYNAMIC));
    assert_int_equal(find(&program, &other, NULL), 1);
    assert_string_equal(toll_sbf_symbols_find(&program.s, 0, &how), "own");
    assert_int_equal(how, TOLL_SBF_BY_DYNAMIC);
    end(&program, &other);
}

/* Constants that are no address are part of the shape; from v3 on so are system calls. */
static void test_shape_keeps_constants_and_system_calls(void **state)
{
    static const struct {
        uint8_t op, regs;
        uint32_t imm, next, other_imm, other_next;
        unsigned version;
        bool is_same;
    } cases[] = {
        { 0x18, 1, 5, 1, 6, 0, 0, true },          { 0x18, 1, 5, 2, 6, 2, 0, false },
        { 0x18, 1, 5, 2, 5, 3, 0, false },         { 0x85, 0x00, 5, 9, 6, 9, 0, true },
        { 0x85, 0x00, 5, 9, 6, 9, 3, false },      { 0x85, 0x10, 5, 9, 6, 9, 3, true },
        { 0xb7, 1, 5, 9, 6, 9, 0, false },         { 0x8d, 0, 5, 9, 6, 9, 0, false },
        { 0x18, 1, 5, 0x100, 6, 0x100, 0, false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        build program, other;
        begin(&program, cases[i].version);
        begin(&other, cases[i].version);
        fill(&program, 20, 10);
        fill(&other, 20, 10);
        add(&program, cases[i].op, cases[i].regs, cases[i].imm);
        add(&program, 0, 0, cases[i].next);
        add(&other, cases[i].op, cases[i].regs, cases[i].other_imm);
        add(&other, 0, 0, cases[i].other_next);
        name_last(&other, "f", 12);
        assert_int_equal(find(&program, &other, NULL), cases[i].is_same);
        end(&program, &other);
    }
}

/* A function that begins as thousands of places do has no name: they are not all compared. */
static void test_shape_of_what_repeats(void **state)
{
    build program, other;
    (void)state;
    begin(&program, 0);
    begin(&other, 0);
    for (int i = 0; i < 20000; i++) {
        add(&program, 0xb7, 1, 7);
        add(&other, 0xb7, 1, 7);
    }
    name_last(&other, "all", 20000);
    for (size_t count = 8; count < 20000; count += 8)
        name_last(&other, "some", count);
    assert_int_equal(find(&program, &other, NULL), 0);
    end(&program, &other);
}

static toll_status work(const toll_allocator *allocator, void *user)
{
    build program, other;
    toll_sbf_shapes shapes;
    (void)user;
    begin(&program, 0);
    begin(&other, 0);
    fill(&program, 20, 20);
    fill(&other, 20, 20);
    name_last(&other, "f", 20);
    toll_sbf_symbols copy;
    toll_mem own = toll_mem_from(allocator);
    toll_sbf_symbols_init(&copy, &own);
    bool good = toll_buffer_append(&copy.text, program.s.text.data, program.s.text.size) &&
                toll_sbf_shapes_add(&copy, &other.s, &shapes);
    toll_sbf_symbols_free(&copy);
    end(&program, &other);
    return good ? TOLL_OK : TOLL_E_NOMEM;
}

static void test_shape_without_memory(void **state)
{
    (void)state;
    test_allocations(work, NULL, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape_ignores_what_linkers_write),
        cmocka_unit_test(test_shape_names_only_what_is_unique_in_both),
        cmocka_unit_test(test_shape_of_short_functions),
        cmocka_unit_test(test_shape_of_a_beginning),
        cmocka_unit_test(test_shape_of_odd_symbols),
        cmocka_unit_test(test_shape_does_not_replace_names),
        cmocka_unit_test(test_shape_keeps_constants_and_system_calls),
        cmocka_unit_test(test_shape_of_what_repeats),
        cmocka_unit_test(test_shape_without_memory),
    };
    mem = toll_mem_from(NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
