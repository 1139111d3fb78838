/* test_pprof_stacks.c - two fast paths for stacks of pprof files must give the same result as
 * reading number by number: comparing a packed list with the previous one as bytes, and using the
 * tree of locations as the profile's tree. */
#include "support.h"

#include "base/wire.h"
#include "format/pprof.h"

enum { LOCATIONS = 12, STACKS = 400, DEEPEST = 9 };

/* Ids of one to ten bytes that end in the same bytes: 129 is 81 01, 16513 is 81 81 01. */
static const uint64_t ids[LOCATIONS] = {
    1, 5, 129, 133, 16513, 128, 16512, 2, UINT64_C(1) << 63, UINT64_MAX, 257, 641,
};

typedef struct shape {
    bool packed;   /* lists, as tools write them; else a field for each number */
    bool split;    /* two lists a sample */
    bool inlined;  /* another location, which no sample has, is two frames */
    bool twice;    /* the first two locations are the same place */
    bool labelled; /* samples of two threads in turns, one of which has two lists of labels */
} shape;

static uint32_t below(uint64_t *seed, uint32_t n)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*seed >> 33) % n);
}

static void put(toll_buffer *file, uint32_t field, toll_buffer *message)
{
    toll_wire_put_bytes(file, field, message->data, message->size);
    toll_buffer_clear(message);
}

static void put_stack(toll_buffer *m, const uint64_t *stack, uint32_t depth, const shape *s)
{
    uint8_t list[10 * DEEPEST], *end = list;
    for (uint32_t i = 0; i < depth; i++) {
        if (!s->packed) {
            toll_wire_put_varint(m, PPROF_SAMPLE_LOCATION_ID << 3 | TOLL_WIRE_VARINT);
            toll_wire_put_varint(m, stack[i]);
            continue;
        }
        end = toll_put_varint(end, stack[i]);
        if (s->split && i == depth / 2) {
            toll_wire_put_bytes(m, PPROF_SAMPLE_LOCATION_ID, list, (size_t)(end - list));
            end = list;
        }
    }
    if (s->packed)
        toll_wire_put_bytes(m, PPROF_SAMPLE_LOCATION_ID, list, (size_t)(end - list));
}

static void put_label(toll_buffer *m, toll_buffer *inner, uint64_t key, uint64_t text)
{
    toll_wire_put_int(inner, PPROF_LABEL_KEY, key);
    toll_wire_put_int(inner, PPROF_LABEL_STR, text);
    put(m, PPROF_SAMPLE_LABEL, inner);
}

/* Each stack changes some of the innermost frames of the one before. */
static void put_samples(toll_buffer *file, toll_buffer *m, toll_buffer *inner, uint64_t seed,
                        const shape *s)
{
    uint64_t stack[DEEPEST];
    uint32_t depth = 0;
    for (uint32_t i = 0; i < STACKS; i++) {
        uint32_t kept = below(&seed, depth + 1), more = below(&seed, DEEPEST - kept + 1);
        memmove(stack + more, stack + depth - kept, kept * sizeof *stack);
        depth = kept + more;
        for (uint32_t j = 0; j < more; j++)
            stack[j] = ids[below(&seed, LOCATIONS)];
        put_stack(m, stack, depth, s);
        toll_wire_put_int(m, PPROF_SAMPLE_VALUE, 1 + below(&seed, 1000));
        uint32_t thread = below(&seed, 3);
        if (s->labelled && thread)
            put_label(m, inner, 3, 4);
        if (s->labelled && thread == 2)
            put_label(m, inner, 4, 3);
        put(file, PPROF_SAMPLE, m);
    }
}

static void put_place(toll_buffer *file, toll_buffer *m, toll_buffer *inner, uint64_t id,
                      uint64_t function, bool is_inlined)
{
    toll_wire_put_int(m, PPROF_LOCATION_ID, id);
    for (int i = 0; i <= is_inlined; i++) {
        toll_wire_put_int(inner, PPROF_LINE_FUNCTION_ID, function);
        put(m, PPROF_LOCATION_LINE, inner);
    }
    put(file, PPROF_LOCATION, m);
}

static void put_places(toll_buffer *file, toll_buffer *m, toll_buffer *inner, const shape *s)
{
    for (uint32_t i = 0; i < LOCATIONS; i++) {
        put_place(file, m, inner, ids[i], i == 1 && s->twice ? 1 : i + 1, false);
        toll_wire_put_int(m, PPROF_FUNCTION_ID, i + 1);
        toll_wire_put_int(m, PPROF_FUNCTION_NAME, 5 + i);
        put(file, PPROF_FUNCTION, m);
    }
    if (s->inlined)
        put_place(file, m, inner, 1000, 1, true);
}

static void put_strings(toll_buffer *file)
{
    static const char *const first[] = { "", "ticks", "count", "thread", "worker" };
    for (size_t i = 0; i < 5; i++)
        toll_wire_put_bytes(file, PPROF_STRING_TABLE, first[i], strlen(first[i]));
    for (uint32_t i = 0; i < LOCATIONS; i++) {
        char name[16];
        int size = snprintf(name, sizeof name, "f%u", i);
        toll_wire_put_bytes(file, PPROF_STRING_TABLE, name, (size_t)size);
    }
}

static void make_file(toll_buffer *file, uint64_t seed, const shape *s)
{
    toll_buffer m, inner;
    toll_mem mem = toll_mem_from(NULL);
    toll_buffer_init(file, &mem);
    toll_buffer_init(&m, &mem);
    toll_buffer_init(&inner, &mem);
    toll_wire_put_int(&m, PPROF_TYPE_TYPE, 1);
    toll_wire_put_int(&m, PPROF_TYPE_UNIT, 2);
    put(file, PPROF_SAMPLE_TYPE, &m);
    put_samples(file, &m, &inner, seed, s);
    put_places(file, &m, &inner, s);
    put_strings(file);
    toll_buffer_free(&m);
    toll_buffer_free(&inner);
}

static toll_profile *read_shape(uint64_t seed, const shape *s)
{
    toll_profile *p;
    toll_buffer file;
    make_file(&file, seed, s);
    assert_ok(test_read(NULL, file.data, file.size, "pprof", &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    toll_buffer_free(&file);
    return p;
}

static void assert_same_bytes(const toll_profile *a, const toll_profile *b)
{
    toll_output *out[2];
    const toll_profile *both[2] = { a, b };
    const void *data[2];
    size_t size[2];
    for (int i = 0; i < 2; i++) {
        assert_ok(toll_output_to_memory(NULL, 0, &out[i], err));
        assert_ok(toll_profile_write(both[i], NULL, "pprof", NULL, out[i], err));
        assert_ok(toll_output_commit(out[i], err));
        data[i] = toll_output_data(out[i], &size[i]);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(data[0], data[1], size[0]);
    toll_output_free(out[0]);
    toll_output_free(out[1]);
}

/* Number by number, with a location that keeps the tree from being taken, gives the same. */
static void assert_equal_shapes(shape plain, shape other)
{
    for (uint64_t seed = 1; seed <= 15; seed++) {
        toll_profile *p = read_shape(seed, &plain), *q = read_shape(seed, &other);
        assert_int_equal(toll_profile_node_count(p), toll_profile_node_count(q));
        assert_same_bytes(p, q);
        /* The tree is one that more can be added to. */
        uint32_t nodes = toll_profile_node_count(p);
        assert_ok(toll_profile_merge(p, q, err));
        assert_int_equal(toll_profile_node_count(p), nodes);
        assert_ok(toll_profile_merge(q, q, err));
        assert_same_bytes(p, q);
        toll_profile_free(p);
        toll_profile_free(q);
    }
}

static void test_pprof_packed_stacks_are_those_of_single_numbers(void **state)
{
    (void)state;
    assert_equal_shapes((shape){ .inlined = true }, (shape){ .packed = true });
    assert_equal_shapes((shape){ .inlined = true }, (shape){ .packed = true, .split = true });
    assert_equal_shapes((shape){ .inlined = true }, (shape){ .packed = true, .inlined = true });
}

static void test_pprof_packed_stacks_of_threads(void **state)
{
    (void)state;
    assert_equal_shapes((shape){ .inlined = true, .labelled = true },
                        (shape){ .packed = true, .labelled = true });
}

static void test_pprof_two_locations_of_one_place(void **state)
{
    (void)state;
    assert_equal_shapes((shape){ .twice = true }, (shape){ .packed = true, .twice = true });
}

static toll_status read_again(const toll_allocator *allocator, void *user)
{
    const toll_buffer *file = user;
    toll_profile *p, *q = NULL;
    toll_status status = test_read(allocator, file->data, file->size, "pprof", &p, NULL);
    if (status)
        return status;
    status = test_read(allocator, file->data, file->size, "pprof", &q, NULL);
    if (!status)
        status = toll_profile_merge(p, q, NULL); /* which makes the index of the tree */
    toll_profile_free(p);
    toll_profile_free(q);
    return status;
}

static void test_pprof_stacks_without_memory(void **state)
{
    (void)state;
    toll_buffer file;
    make_file(&file, 1, &(shape){ .packed = true });
    test_allocations(read_again, &file, true); /* the larger cache of children */
    toll_buffer_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pprof_packed_stacks_are_those_of_single_numbers),
        cmocka_unit_test(test_pprof_packed_stacks_of_threads),
        cmocka_unit_test(test_pprof_two_locations_of_one_place),
        cmocka_unit_test(test_pprof_stacks_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
