/* test_sizes.c - texts of each size around those of buffers, written and read in pieces of each
 * kind: nothing is lost, nothing is added. */
#include "support.h"

#include "base/buffer.h"
#include "base/input.h"

enum { MOST = 4200 }; /* more than any buffer for one text has */

static char text[MOST + 1];

static void assert_text(const void *data, size_t size, size_t wanted)
{
    assert_int_equal(size, wanted);
    if (wanted)
        assert_memory_equal(data, text, wanted);
}

static void test_texts_of_all_sizes_are_formatted_whole(void **state)
{
    toll_mem mem = toll_c_allocator();
    (void)state;
    for (size_t n = 0; n <= MOST; n++) {
        toll_output *out;
        toll_buffer buffer;
        size_t size;
        assert_ok(toll_output_to_memory(NULL, 0, &out, err));
        toll_output_printf(out, "%.*s", (int)n, text);
        assert_ok(toll_output_commit(out, err));
        const void *data = toll_output_data(out, &size);
        assert_text(data, size, n);
        toll_output_free(out);
        toll_buffer_init(&buffer, &mem);
        assert_true(toll_buffer_append_format(&buffer, "%.*s", (int)n, text));
        assert_text(buffer.data, buffer.size, n);
        assert_int_equal(strlen(toll_buffer_cstr(&buffer)), n);
        toll_buffer_free(&buffer);
    }
}

static void test_pieces_of_all_sizes_add_up(void **state)
{
    toll_mem mem = toll_c_allocator();
    (void)state;
    for (size_t piece = 1; piece <= MOST; piece += piece < 70 ? 1 : 59) {
        toll_output *out;
        toll_buffer buffer;
        size_t size;
        assert_ok(toll_output_to_memory(NULL, 0, &out, err));
        toll_buffer_init(&buffer, &mem);
        for (size_t at = 0; at < MOST; at += piece) {
            size_t n = MOST - at < piece ? MOST - at : piece;
            toll_output_write(out, text + at, n);
            assert_true(toll_buffer_append(&buffer, text + at, n));
        }
        assert_ok(toll_output_commit(out, err));
        const void *data = toll_output_data(out, &size);
        assert_text(data, size, MOST);
        assert_text(buffer.data, buffer.size, MOST);
        toll_output_free(out);
        toll_buffer_free(&buffer);
    }
}

static void test_inputs_are_read_in_pieces_of_all_sizes(void **state)
{
    (void)state;
    for (size_t piece = 1; piece <= MOST; piece += piece < 70 ? 1 : 59) {
        toll_input *in;
        size_t got, at = 0;
        assert_ok(toll_input_from_memory(NULL, text, MOST, "input", &in, err));
        for (;;) {
            const uint8_t *data = toll_input_peek(in, piece, &got);
            size_t left = MOST - at;
            assert_true(got >= (left < piece ? left : piece));
            if (!got)
                break;
            size_t n = got < piece ? got : piece;
            assert_memory_equal(data, text + at, n);
            toll_input_skip(in, n);
            at += n;
        }
        assert_int_equal(at, MOST);
        toll_input_free(in);
    }
}

int main(void)
{
    for (size_t i = 0; i < MOST; i++)
        text[i] = (char)('a' + i % 23);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_of_all_sizes_are_formatted_whole),
        cmocka_unit_test(test_pieces_of_all_sizes_add_up),
        cmocka_unit_test(test_inputs_are_read_in_pieces_of_all_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
