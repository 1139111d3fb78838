/* outer.c - sections of every kind, by the first byte of the instruction's data:
 *
 *   0  nested, crossing and repeated ones
 *   1  heap
 *   2  one around an invocation of the first account's program, with the rest of the data; it has
 *      sections of the same names
 *   3  the program fails with one open
 *   4  an id that is not in memory
 *   5  an end without a start
 *   6  a section that ends where the function is left
 *   7  the program is stopped: it writes where it may not
 *   8  a section of a program that was built for three arguments: something is in the fourth
 *      register
 *   9  what #[profile] of light-program-profiler makes of two functions: the id has a place, and
 *      the fourth argument is 1 */
#include "solana.h"

static u64 nested_crossing_repeated(void)
{
    toll_start("outer");
    work(10);
    toll_start("mid");
    work(20);
    toll_start("inner");
    work(30);
    toll_end("inner");
    toll_end("mid");
    toll_start("x");
    work(5);
    toll_start("y");
    work(6);
    toll_end("x"); /* y goes on */
    work(7);
    toll_end("y");
    for (int i = 0; i < 3; i++) {
        toll_start("again");
        work(1);
        toll_end("again");
    }
    toll_end("outer");
    return 0;
}

static u64 heap(void)
{
    toll_start_with_heap("grows", 0);
    work(3);
    toll_start_with_heap("part", 100);
    toll_end_with_heap("part", 164);
    toll_end_with_heap("grows", 256);
    return 0;
}

static u64 invoke(const program_input *input)
{
    instruction call = { input->account_key, 0, 0, input->data + 1, input->data_size - 1 };
    u64 result;
    toll_start("invoke");
    toll_start("inner");
    result = sol_invoke_signed_c(&call, 0, 0, 0, 0);
    toll_end("inner");
    toll_end("invoke");
    return result;
}

static u64 fail(void)
{
    toll_start("done");
    work(4);
    toll_end("done");
    toll_start("left open");
    work(8);
    return 42;
}

static u64 left_early(u64 n)
{
    TOLL_SECTION("guarded");
    work(n);
    if (n > 1)
        return 0;
    work(100);
    return 1;
}

static u64 three_arguments(const program_input *input)
{
    static const char id[] = "three";
    sol_log_compute_units_start(id, 5, 0, (u64)input);
    work(2);
    sol_log_compute_units_end(id, 5, 0, input->data_size);
    return 0;
}

#define LIGHT_START(id, heap) sol_log_compute_units_start(id, sizeof(id) - 1, heap, 1)
#define LIGHT_END(id, heap) sol_log_compute_units_end(id, sizeof(id) - 1, heap, 1)

static u64 light(void)
{
    static const char caller[] = "caller\n        src/lib.rs:12        ";
    static const char callee[] = "callee\n        src/account/load.rs:3        ";
    LIGHT_START(caller, 0);
    LIGHT_START(callee, 100);
    work(5);
    LIGHT_END(callee, 300);
    LIGHT_END(caller, 300);
    return 0;
}

u64 entrypoint(const u8 *bytes)
{
    program_input input = read_input(bytes);
    switch (input.data[0]) {
    case 0: return nested_crossing_repeated();
    case 1: return heap();
    case 2: return invoke(&input);
    case 3: return fail();
    case 4: return sol_log_compute_units_start((const char *)0x900000000, 8, 0, 0);
    case 5: toll_end("nothing"); return 0;
    case 6: return left_early(9);
    case 8: return three_arguments(&input);
    case 9: return light();
    default:
        toll_start("stopped");
        *(volatile u64 *)0x900000000 = 1;
        return 0;
    }
}
