/* fuzz_sbf_costs_code.c - fuzzes tables of the costs of system calls (--costs of register traces):
 * any bytes are a table, or refused with a message. With a table that is read each system call has
 * a price, whatever its arguments and the memory before it are. */
#include "fuzz_format.h"

#include "sbf/sbf_scan.h"
#include "sbf/sbf_syscalls.h"

enum { STACK_SIZE = 256 };

#define STACK UINT64_C(0x200001000)

/* Fill the stack with the input's bytes, as a program's stores do. */
static void store_words(toll_sbf_memory *memory, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < STACK_SIZE; i += 8) {
        const uint8_t insn[8] = { 0x7b, 0x21 }; /* *(u64 *)(r1 + 0) = r2 */
        uint8_t regs[TOLL_SBF_REGS_SIZE] = { 0 };
        uint64_t address = STACK + i;
        for (size_t b = 0; b < 8; b++) {
            regs[8 + b] = (uint8_t)(address >> 8 * b);
            regs[16 + b] = size ? data[(i + b) % size] : 0;
        }
        toll_sbf_memory_store(memory, insn, regs);
    }
}

/* Known memory makes a price certain, and never less than the least price. */
static void price_call(const toll_sbf_costs *costs, const toll_sbf_syscall *s, toll_sbf_args args)
{
    toll_sbf_price known = s->price(costs, &args, s->detail);
    args.memory = NULL;
    toll_sbf_price least = s->price(costs, &args, s->detail);
    fuzz_see_number("prices", known.units);
    fuzz_see_number("prices", least.units);
    fuzz_require(least.is_open ? least.units <= known.units
                               : !known.is_open && least.units == known.units,
                 "a price that is less than the least");
}

static void price_all(const toll_sbf_costs *costs, const uint8_t *data, size_t size)
{
    static const uint64_t values[] = { 0, 1, 2, 32, 250, 4096, UINT64_MAX };
    enum { VALUES = sizeof values / sizeof *values };
    static toll_sbf_memory memory;
    const toll_sbf_syscall *s;
    toll_sbf_memory_clear(&memory);
    store_words(&memory, data, size);
    for (unsigned i = 0; (s = toll_sbf_syscall_at(i)) != NULL; i++)
        for (unsigned n = 0; n < VALUES * VALUES; n++) {
            toll_sbf_args args = { .r = { values[n % VALUES] },
                                   .has_returned = n % 3 > 0,
                                   .memory = &memory };
            for (unsigned r = 1; r <= 5; r++)
                args.r[r] = values[(n / VALUES + r) % VALUES];
            if (n % 2)
                args.r[1] = STACK + n % 32 * 8;
            price_call(costs, s, args);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_error err = { TOLL_OK, "" };
    toll_failure failure = { .err = &err };
    toll_sbf_costs costs;
    toll_input *in;
    if (toll_input_from_memory(&a, data, size, "costs.json", &in, NULL))
        return 0;
    toll_sbf_costs_set(&costs);
    if (toll_sbf_costs_read(&costs, in, &failure)) {
        fuzz_require(!failure.status && costs.runtime[0], "a table without a runtime");
        price_all(&costs, data, size);
    } else {
        fuzz_require(failure.status && err.text[0], "a failure without a message");
        fuzz_see_failure(failure.status, &err);
    }
    toll_input_free(in);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
