/* fragile.c - a kernel that takes programs of a small stack machine as messages, and trusts them:
 * their errors trap. It counts them in /programs, and /aborted is the number of runs that have
 * trapped.
 *
 *     01..7f    push the number
 *     '+' 0x80  add
 *     '*' 0x81  multiply
 *     '/' 0x82  divide (by 0: a trap)
 *     0x83      write the top as an output
 *     0x84      call oneself, without end (the stack overflows)
 *     0x85      write far outside of the memory
 *     0x86      ask for a reboot, then trap */
#include "rollup.h"

static uint8_t message[MAX_MESSAGE];
static int32_t stack[64];
static uint32_t height;

static int32_t pop(void)
{
    if (!height)
        __builtin_trap();
    return stack[--height];
}

static void push(int32_t value)
{
    if (height == sizeof stack / sizeof *stack)
        __builtin_trap();
    stack[height++] = value;
}

static void output_top(void)
{
    int32_t top = pop();
    push(top);
    write_output(&top, sizeof top);
}

static int32_t (*volatile again)(int32_t depth); /* the compiler does not see where this leads */

static int32_t descend(int32_t depth)
{
    return again(depth + 1) + 1;
}

static int32_t divide(int32_t by)
{
    return pop() / by;
}

static void step(uint8_t code)
{
    switch (code) {
    case 0x80: push(pop() + pop()); break;
    case 0x81: push(pop() * pop()); break;
    case 0x82: push(divide(pop())); break;
    case 0x83: output_top(); break;
    case 0x84: again = descend, push(again(0)); break;
    case 0x85: *(volatile int32_t *)0xfffffff0 = 1; break;
    case 0x86: ask_for_reboot(), __builtin_trap();
    default: push(code);
    }
}

static void run_program(const uint8_t *code, uint32_t size)
{
    height = 0;
    for (uint32_t i = 0; i < size; i++)
        step(code[i]);
}

static void count(const char *name)
{
    text key = { 0 };
    text_add(&key, name);
    store_set_number(&key, store_number(&key) + 1);
}

void EXPORT(kernel_run)(void)
{
    static const char stuck[] = "/readonly/kernel/env/stuck";
    input_info info;
    if (store_has(stuck, sizeof stuck - 1))
        count("/aborted");
    for (int32_t size; (size = read_input(&info, message, sizeof message)) > 0;) {
        if (message[0] != EXTERNAL)
            continue;
        count("/programs");
        section_start("program");
        run_program(message + 1, (uint32_t)size - 1);
        section_end("program");
    }
}
