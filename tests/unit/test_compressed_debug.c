/* test_compressed_debug.c - sections of debug information that are compressed: whole, and damaged
 * in each way. */
#include "support_debug.h"

#include "base/buffer.h"
#include "base/gzip.h"

enum {
    ELF_HEADER = 64,
    SECTION_HEADER = 64,
    CHUNK_HEADER = 24, /* of a compressed section */
    ZLIB_STORED = 11,  /* bytes that zlib's stream of one block has beside the bytes in it */
    X86_64 = 62,
    COMPRESSED = 0x800,
    CODE_SIZE = 0x60
};

/* Put a number, lowest byte first; bytes beyond its eight are 0. */
static void put_le(toll_buffer *to, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        toll_buffer_append_byte(to, (uint8_t)(i < 8 ? value >> 8 * i : 0));
}

/* A section with its header and a stream of zlib that stores bytes as they are. */
static void put_compressed(toll_buffer *to, const uint8_t *data, size_t size)
{
    uint32_t a = 1, b = 0; /* Adler-32 */
    for (size_t i = 0; i < size; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    put_le(to, 1, 8); /* zlib */
    put_le(to, size, 8);
    put_le(to, 1, 8);
    put_le(to, 0x0178, 2);
    put_le(to, 1, 1); /* the last block */
    put_le(to, size, 2);
    put_le(to, ~size, 2);
    toll_buffer_append(to, data, size);
    for (int i = 3; i >= 0; i--)
        put_le(to, (b << 16 | a) >> 8 * i, 1);
}

/* An unsigned LEB128 of two bytes, or of one. */
static size_t leb(const uint8_t **at)
{
    size_t value = *(*at)++;
    if (value >= 128)
        value = value - 128 + 128 * (size_t) * (*at)++;
    return value;
}

typedef struct sections {
    toll_buffer headers, bytes, names;
    unsigned count;
} sections;

static void add_section(sections *s, const char *name, size_t name_size, uint64_t flags,
                        size_t start, size_t size)
{
    put_le(&s->headers, s->names.size, 4);
    put_le(&s->headers, 1, 4); /* with bytes */
    put_le(&s->headers, flags, 8);
    put_le(&s->headers, 0, 8);
    put_le(&s->headers, ELF_HEADER + start, 8);
    put_le(&s->headers, size, 8);
    put_le(&s->headers, 0, 24);
    toll_buffer_append(&s->names, name, name_size);
    put_le(&s->names, 0, 1);
    s->count++;
}

/* The section's compressed bytes, changed. `size`: how many there are; may be made less. */
typedef void change(uint8_t *bytes, size_t *size);

/* Add the custom sections with debug information of the module; .debug_info is compressed. */
static void add_debug(sections *s, change *damage)
{
    const uint8_t *at = tiny_dwarf5 + 8, *end = tiny_dwarf5 + sizeof tiny_dwarf5;
    while (at < end) {
        bool is_custom = *at++ == 0;
        size_t size = leb(&at);
        const uint8_t *next = at + size;
        size_t name_size = is_custom ? leb(&at) : 0;
        const char *name = (const char *)at;
        if (is_custom && *name == '.') {
            bool is_info = name_size == 11 && memcmp(name, ".debug_info", 11) == 0;
            size_t start = s->bytes.size, length = (size_t)(next - at) - name_size;
            if (is_info)
                put_compressed(&s->bytes, at + name_size, length);
            else
                toll_buffer_append(&s->bytes, at + name_size, length);
            length = s->bytes.size - start;
            if (is_info && damage)
                damage(s->bytes.data + start, &length);
            add_section(s, name, name_size, is_info ? COMPRESSED : 0, start, length);
        }
        at = next;
    }
}

/* A program whose code is that of the module, with its debug information. */
static toll_debug *program(const toll_allocator *a, change *damage, toll_status *status)
{
    static const uint8_t ident[16] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };
    toll_mem mem = toll_mem_from(NULL);
    toll_buffer elf;
    sections s = { .count = 0 };
    toll_buffer *const buffers[] = { &elf, &s.headers, &s.bytes, &s.names };
    toll_debug *d = NULL;
    toll_input *in;
    for (size_t i = 0; i < 4; i++)
        toll_buffer_init(buffers[i], &mem);
    add_section(&s, "", 0, 0, 0, 0);
    for (int i = 0; i < CODE_SIZE; i++)
        put_le(&s.bytes, 0x90, 1);
    add_section(&s, ".text", 5, 6, 0, CODE_SIZE);
    add_debug(&s, damage);
    size_t names = s.bytes.size;
    toll_buffer_append(&s.bytes, s.names.data, s.names.size);
    toll_buffer_append(&s.bytes, ".names", sizeof ".names");
    add_section(&s, ".names", 6, 0, names, s.bytes.size - names);
    toll_buffer_append(&elf, ident, sizeof ident);
    put_le(&elf, 2 | X86_64 << 16, 8);
    put_le(&elf, 0, 16);
    put_le(&elf, ELF_HEADER + s.bytes.size, 8);
    put_le(&elf, 0, 10);
    put_le(&elf, SECTION_HEADER, 2);
    put_le(&elf, s.count, 2);
    put_le(&elf, s.count - 1, 2);
    assert_int_equal(elf.size, ELF_HEADER);
    toll_buffer_append(&elf, s.bytes.data, s.bytes.size);
    toll_buffer_append(&elf, s.headers.data, s.headers.size);
    *status = toll_input_from_memory(a, elf.data, elf.size, "app", &in, NULL);
    if (!*status) {
        *status = toll_debug_read(a, in, &d, NULL);
        toll_input_free(in);
    }
    for (size_t i = 0; i < 4; i++)
        toll_buffer_free(buffers[i]);
    return d;
}

/* The memory is limited: no section makes room for more than its bytes can become. */
static toll_debug *read_program(change *damage)
{
    static toll_budget budget;
    static toll_allocator allocator;
    toll_status status;
    budget = (toll_budget){ .limit = (size_t)4 << 20 };
    allocator = toll_budget_allocator(&budget);
    toll_debug *d = program(&allocator, damage, &status);
    assert_ok(status);
    return d;
}

static void test_compressed_sections_are_read(void **state)
{
    toll_debug_function f;
    toll_debug_place places[3];
    toll_mem mem = toll_mem_from(NULL);
    (void)state;
    if (toll_inflate_whole(&mem, NULL, 0, NULL, 0) == TOLL_E_UNSUPPORTED) {
        print_message("skipped: built without zlib\n");
        skip();
    }
    toll_debug *d = read_program(NULL);
    assert_string_equal(toll_debug_remark(d), "");
    assert_true(toll_debug_find_function(d, TINY_IN_RUN, &f));
    assert_string_equal(f.name, "run");
    assert_int_equal(f.line, 9);
    assert_int_equal(toll_debug_places(d, TINY_INLINED, places, 3), 2);
    assert_string_equal(places[0].name, "square");
    assert_int_equal(places[0].at_line, 4);
    toll_debug_free(d);
}

/* --- damages -----------------------------------------------------------------------------------*/

static void no_header(uint8_t *bytes, size_t *size)
{
    (void)bytes;
    *size = 0;
}

static void short_header(uint8_t *bytes, size_t *size)
{
    (void)bytes;
    *size = CHUNK_HEADER - 1;
}

static void header_alone(uint8_t *bytes, size_t *size)
{
    (void)bytes;
    *size = CHUNK_HEADER;
}

static void other_algorithm(uint8_t *bytes, size_t *size)
{
    (void)size;
    bytes[0] = 2; /* zstd */
}

static void larger_size(uint8_t *bytes, size_t *size)
{
    (void)size;
    bytes[8]++;
}

static void smaller_size(uint8_t *bytes, size_t *size)
{
    (void)size;
    bytes[8]--;
}

static void size_of_nothing(uint8_t *bytes, size_t *size)
{
    (void)size;
    memset(bytes + 8, 0, 8);
}

/* More than zlib can make of so many bytes. */
static void too_large(uint8_t *bytes, size_t *size)
{
    (void)size;
    bytes[8 + 3] = 1;
}

static void largest_size(uint8_t *bytes, size_t *size)
{
    (void)size;
    memset(bytes + 8, 0xff, 8);
}

static void bad_method(uint8_t *bytes, size_t *size)
{
    (void)size;
    bytes[CHUNK_HEADER] ^= 7;
}

static void bad_block(uint8_t *bytes, size_t *size)
{
    (void)size;
    bytes[CHUNK_HEADER + 2] |= 6; /* no such kind of block */
}

static void bad_checksum(uint8_t *bytes, size_t *size)
{
    bytes[*size - 1] ^= 1;
}

static void cut_stream(uint8_t *bytes, size_t *size)
{
    (void)bytes;
    *size -= ZLIB_STORED;
}

/* The remark says so, and no function has a line; that an address has none is no failure. */
static void expect_damaged(change *damage)
{
    toll_debug_function f;
    toll_debug_place places[3];
    toll_debug *d = read_program(damage);
    assert_string_equal(toll_debug_remark(d), "app: its debug information is damaged: a compressed "
                                              "section cannot be read; there are names alone");
    assert_false(toll_debug_find_function(d, TINY_IN_RUN, &f));
    assert_int_equal(toll_debug_places(d, TINY_INLINED, places, 3), 0);
    toll_debug_free(d);
}

static void test_compressed_with_a_bad_header(void **state)
{
    (void)state;
    expect_damaged(no_header);
    expect_damaged(short_header);
    expect_damaged(header_alone);
    expect_damaged(other_algorithm);
}

static void test_compressed_with_a_wrong_size(void **state)
{
    (void)state;
    expect_damaged(larger_size);
    expect_damaged(smaller_size);
    expect_damaged(size_of_nothing);
    expect_damaged(too_large);
    expect_damaged(largest_size);
}

static void test_compressed_with_a_bad_stream(void **state)
{
    (void)state;
    expect_damaged(bad_method);
    expect_damaged(bad_block);
    expect_damaged(bad_checksum);
    expect_damaged(cut_stream);
}

static toll_status try_program(const toll_allocator *a, void *damage)
{
    toll_status status;
    toll_debug_free(program(a, damage ? bad_checksum : NULL, &status));
    return status;
}

static void test_compressed_without_memory(void **state)
{
    bool is_damaged = true;
    (void)state;
    test_every_allocation(try_program, NULL);
    test_every_allocation(try_program, &is_damaged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compressed_sections_are_read),
        cmocka_unit_test(test_compressed_with_a_bad_header),
        cmocka_unit_test(test_compressed_with_a_wrong_size),
        cmocka_unit_test(test_compressed_with_a_bad_stream),
        cmocka_unit_test(test_compressed_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
