/* test_assembly.c - the cost of each instruction, from executions of stretches (as recorded, and as
 * kept beside lines) and from executions of single instructions. */
#include "support_stretch.h"

#include "base/elf64.h"
#include "support_elf.h"

static const toll_value_type ticks = { "ticks", "count" };
static const toll_symbolize_options blocks = { .size = sizeof blocks, .blocks = 1 };
static const toll_assembly_options inlines = { .size = sizeof inlines, .inlines = 1 };

static const toll_frame twice = { .name = "twice", .file = "/src/tiny.c", .line = 6 };
static const toll_frame square = {
    .name = "square", .file = "/src/tiny.c", .line = 3, .kind = TOLL_KIND_INLINED
};

typedef struct fixture {
    toll_debug *debug;
    const toll_debug *debugs[1];
    toll_profile *p;
    uint64_t address, cost;
} fixture;

static void begin(fixture *f)
{
    toll_status status;
    f->address = first_stretch(&f->cost);
    f->debug = tiny(NULL, &status);
    if (status == TOLL_E_UNSUPPORTED)
        skip();
    f->debugs[0] = f->debug;
    f->p = recorded(NULL, BUILD_ID, f->address, 10 * (int64_t)f->cost);
    assert_non_null(f->p);
}

static void end(fixture *f)
{
    toll_profile_free(f->p);
    toll_debug_free(f->debug);
}

/* The instructions of a function by `p`: how many, and what they cost. */
static size_t count_of(const fixture *f, const toll_profile *p, const toll_assembly_options *o,
                       toll_frame function, int64_t *self)
{
    toll_assembly *a;
    const toll_instruction *list;
    size_t count;
    assert_ok(toll_assembly_create(p, f->debugs, 1, o, &a, err));
    assert_ok(toll_assembly_instructions(a, &function, ticks, &list, &count, err));
    *self = 0;
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || list[i].line > list[i - 1].line ||
                    list[i].address > list[i - 1].address);
        assert_true(list[i].self == list[i].executions); /* each costs 1 */
        *self += list[i].self;
    }
    toll_assembly_free(a);
    return count;
}

static void test_assembly_divides_a_stretch(void **state)
{
    fixture f;
    toll_assembly *a;
    const toll_instruction *list;
    size_t count;
    (void)state;
    begin(&f);
    assert_ok(toll_assembly_create(f.p, f.debugs, 1, &inlines, &a, err));
    assert_ok(toll_assembly_instructions(a, &square, ticks, &list, &count, err));
    assert_int_equal(count, 3);
    assert_string_equal(list[0].text, "local.get 0");
    assert_string_equal(list[1].text, "local.get 0");
    assert_string_equal(list[2].text, "i32.mul");
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(list[i].line, 4);
        assert_int_equal(list[i].self, 10);
        assert_int_equal(list[i].executions, 10);
    }
    toll_frame whole = square; /* with code of its own, if it had any */
    whole.kind = TOLL_KIND_FUNCTION;
    assert_ok(toll_assembly_instructions(a, &whole, ticks, &list, &count, err));
    assert_int_equal(count, 3);
    toll_frame file = { .name = "", .file = "/src/tiny.c" };
    assert_ok(toll_assembly_instructions(a, &file, ticks, &list, &count, err));
    assert_int_equal(count, f.cost);
    assert_ok(
        toll_assembly_instructions(a, &(toll_frame){ .name = "run" }, ticks, &list, &count, err));
    assert_int_equal(count, 0);
    toll_assembly_free(a);
    int64_t self;
    assert_int_equal(count_of(&f, f.p, NULL, twice, &self), f.cost);
    assert_int_equal(self, 10 * (int64_t)f.cost);
    end(&f);
}

/* A profile that has lines with blocks beside them gives the same instructions, also after its
 * blocks are turned into lines again, and after two runs are added up. */
static void test_assembly_of_a_profile_with_lines(void **state)
{
    fixture f;
    toll_profile *q, *r;
    int64_t self;
    (void)state;
    begin(&f);
    assert_ok(toll_profile_symbolize(f.p, f.debugs, 1, &blocks, &q, err));
    uint32_t column = toll_profile_find_column(q, TOLL_BLOCK_EXECUTIONS);
    assert_int_equal(column, 2);
    assert_int_equal(test_sum(q, column), 10);
    assert_int_equal(test_sum(q, 0), 10 * (int64_t)f.cost);
    assert_int_equal(count_of(&f, q, NULL, twice, &self), f.cost);
    assert_int_equal(self, 10 * (int64_t)f.cost);
    assert_ok(toll_profile_symbolize(q, f.debugs, 1, NULL, &r, err));
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(test_sum(r, i), test_sum(q, i));
    assert_int_equal(count_of(&f, r, NULL, twice, &self), f.cost);
    assert_int_equal(self, 10 * (int64_t)f.cost);
    assert_ok(toll_profile_merge(q, r, err));
    assert_ok(toll_profile_merge(q, f.p, err));
    assert_int_equal(count_of(&f, q, NULL, twice, &self), f.cost);
    assert_int_equal(self, 30 * (int64_t)f.cost);
    toll_profile_free(r);
    toll_profile_free(q);

    /* Without the option there are lines alone. */
    assert_ok(toll_profile_symbolize(f.p, f.debugs, 1, NULL, &q, err));
    assert_int_equal(toll_profile_column_count(q), 2);
    toll_assembly *a = NULL;
    assert_int_equal(toll_assembly_create(q, f.debugs, 1, NULL, &a, NULL), TOLL_E_NOT_FOUND);
    assert_null(a);
    toll_profile_free(q);
    end(&f);
}

static void test_assembly_says_what_does_not_fit(void **state)
{
    fixture f;
    toll_assembly *a;
    const toll_instruction *list;
    size_t count;
    (void)state;
    begin(&f);
    toll_profile *other = recorded(NULL, "0123456789abcdef", f.address, 10);
    assert_int_equal(toll_assembly_create(other, f.debugs, 1, NULL, &a, NULL), TOLL_E_ARGUMENT);
    toll_profile_free(other);
    for (toll_node_id n = 0; n < toll_profile_node_count(f.p); n++)
        if (toll_profile_self(f.p, n, 1))
            assert_ok(toll_profile_add_self(f.p, n, 1, INT64_MAX - 10, err));
    toll_wasm_costs *fuel;
    assert_ok(toll_wasm_costs_named(NULL, "fuel", &fuel, err));
    assert_ok(toll_assembly_create(
        f.p, f.debugs, 1, &(toll_assembly_options){ .size = sizeof inlines, .costs = fuel }, &a,
        err));
    assert_int_equal(toll_assembly_instructions(a, &twice, ticks, &list, &count, NULL),
                     TOLL_E_OVERFLOW); /* entering costs 1 more than the first instruction */
    assert_int_equal(count, 0);
    toll_assembly_free(a);
    toll_wasm_costs_free(fuel);
    end(&f);
}

/* A program of Solana: its function `work` (slots 10 to 15) executed three instructions. */
static void test_assembly_of_a_program(void **state)
{
    uint8_t elf[ELF_SIZE];
    toll_input *in;
    toll_debug *d;
    toll_profile *p;
    toll_thread_id thread;
    (void)state;
    size_t size = make_elf(elf);
    assert_ok(toll_input_from_memory(NULL, elf, size, "program.so", &in, err));
    assert_ok(toll_debug_read(NULL, in, &d, err));
    toll_input_free(in);
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "compute units", "CU", NULL, err));
    assert_ok(toll_profile_add_column(p, "executions", "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "main", &thread, err));
    toll_debug_function f;
    assert_int_equal(toll_debug_find_function(d, TEXT_ADDRESS + 80, &f), 1);
    static const uint64_t slots[] = { 12, 10, 11 };
    for (size_t i = 0; i < 3; i++) {
        toll_frame frame = { .name = f.name,
                             .module = "program.so",
                             .build_id = toll_debug_build_id(d),
                             .at_address = TEXT_ADDRESS + 8 * slots[i] };
        toll_frame_id id;
        toll_node_id node;
        assert_ok(toll_profile_add_frame(p, &frame, &id, err));
        assert_ok(toll_profile_add_child(p, toll_profile_root(p, thread), id, &node, err));
        assert_ok(toll_profile_add_self(p, node, 0, 3, err));
        assert_ok(toll_profile_add_self(p, node, 1, 4, err));
    }
    toll_assembly *a;
    const toll_instruction *list;
    size_t count;
    const toll_debug *debugs[] = { d };
    toll_frame function = { .name = f.name };
    assert_ok(toll_assembly_create(p, debugs, 1, NULL, &a, err));
    assert_ok(toll_assembly_instructions(a, &function, (toll_value_type){ "compute units", "CU" },
                                         &list, &count, err));
    assert_int_equal(count, 3);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(list[i].address, TEXT_ADDRESS + 80 + 8 * i);
        assert_int_equal(list[i].self, 3);
        assert_int_equal(list[i].executions, 4);
    }
    toll_assembly_free(a);
    toll_profile_free(p);
    toll_debug_free(d);
}

static toll_status again(const toll_allocator *allocator, void *user)
{
    uint64_t cost, address = first_stretch(&cost);
    toll_status status;
    toll_debug *d = tiny(allocator, &status);
    const toll_debug *debugs[] = { d };
    toll_profile *p, *q = NULL;
    toll_assembly *a = NULL;
    const toll_instruction *list;
    size_t count;
    (void)user;
    if (status)
        return status;
    p = recorded(allocator, BUILD_ID, address, 10 * (int64_t)cost);
    status = p ? toll_profile_symbolize(p, debugs, 1, &blocks, &q, NULL) : TOLL_E_NOMEM;
    if (!status)
        status = toll_assembly_create(q, debugs, 1, &inlines, &a, NULL);
    if (!status)
        status = toll_assembly_instructions(a, &square, ticks, &list, &count, NULL);
    toll_assembly_free(a);
    toll_profile_free(q);
    toll_profile_free(p);
    toll_debug_free(d);
    return status;
}

static void test_assembly_every_allocation(void **state)
{
    (void)state;
    test_every_allocation(again, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assembly_divides_a_stretch),
        cmocka_unit_test(test_assembly_of_a_profile_with_lines),
        cmocka_unit_test(test_assembly_says_what_does_not_fit),
        cmocka_unit_test(test_assembly_of_a_program),
        cmocka_unit_test(test_assembly_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
