/* fuzz_sbf_read.c - fuzzes the parts of register traces. A trace is a folder of files; here the
 * parsers of these files read the input as a stream. The first byte selects the parser:
 *
 *   'e'   an ELF file: no symbol is outside of it; its functions are compared with its own
 *   'l'   logs: callers come before the programs that they invoke, and sums are right
 *   'p'   arguments of system calls, which have a price
 *   else  a trace: 12 parts of 13 are registers, the rest instructions; frames are left as often as
 *         they are entered, in order of time */
#include "fuzz_format.h"

#include "demangle/demangle.h"
#include "sbf/sbf_elf.h"
#include "sbf/sbf_logs.h"
#include "sbf/sbf_scan.h"
#include "sbf/sbf_shape.h"
#include "sbf/sbf_syscalls.h"

static toll_input *open_part(const toll_allocator *a, const uint8_t *data, size_t size)
{
    toll_input *in;
    return toll_input_from_memory(a, data, size, "input", &in, NULL) ? NULL : in;
}

static bool read_symbols(toll_sbf_symbols *symbols, const toll_mem *mem, const uint8_t *data,
                         size_t size)
{
    toll_input *in = open_part(mem, data, size);
    toll_sbf_symbols_init(symbols, mem);
    bool good = in && toll_sbf_symbols_read(symbols, in, NULL) == TOLL_OK;
    toll_input_free(in);
    return good;
}

static void read_elf(const toll_mem *mem, const uint8_t *data, size_t size)
{
    toll_sbf_symbols symbols, again;
    toll_sbf_shapes shapes;
    toll_buffer name;
    bool good = read_symbols(&symbols, mem, data, size);
    toll_buffer_init(&name, mem);
    if (read_symbols(&again, mem, data, size) && toll_sbf_shapes_add(&symbols, &again, &shapes))
        fuzz_require(shapes.found <= shapes.functions, "more functions than there are");
    toll_sbf_symbols_free(&again);
    if (good)
        for (uint64_t pc = 0; pc < 64; pc++) {
            const char *symbol = toll_sbf_symbols_find(&symbols, pc, NULL);
            if (symbol)
                toll_append_demangled(&name, symbol);
        }
    fuzz_see("names", name.data, name.size);
    toll_buffer_free(&name);
    toll_sbf_symbols_free(&symbols);
}

static void read_logs(const toll_mem *mem, const uint8_t *data, size_t size)
{
    toll_sbf_logs logs;
    toll_input *in = open_part(mem, data, size);
    toll_failure failure = { 0 };
    toll_sbf_logs_init(&logs, mem);
    if (in && toll_sbf_logs_read(&logs, in, &failure))
        for (uint32_t i = 0; i < logs.count; i++) {
            int64_t sum = logs.list[i].spent.self;
            uint32_t child = logs.list[i].first_child;
            for (; child != TOLL_SBF_NONE; child = logs.list[child].next) {
                fuzz_require(child > i && logs.list[child].parent == i, "a caller behind");
                sum += logs.list[child].spent.total + logs.list[child].spent.rest;
            }
            fuzz_see_number("sums", (uint64_t)sum);
            fuzz_require(sum == logs.list[i].spent.total, "units that do not add up");
        }
    toll_sbf_logs_free(&logs);
    toll_input_free(in);
}

/* --- traces ------------------------------------------------------------------------------------*/

typedef struct watch {
    uint64_t depth, done;
    toll_sbf_memory *memory;
    toll_sbf_costs costs;
} watch;

static void at(watch *w, uint64_t done)
{
    fuzz_see_number("events", done);
    fuzz_require(done >= w->done, "events out of order");
    w->done = done;
}

static bool enter(void *user, uint64_t entry_pc, uint64_t done)
{
    watch *w = user;
    fuzz_see_number("enters", entry_pc);
    at(w, done);
    w->depth++;
    return true;
}

static bool leave(void *user, uint64_t frames, uint64_t done)
{
    watch *w = user;
    at(w, done);
    fuzz_require(frames <= w->depth, "more frames left than entered");
    w->depth -= frames;
    return true;
}

/* Whatever its arguments are, a call has a price, and changes memory. */
static bool syscall_made(void *user, const toll_sbf_syscall_event *event, uint64_t done)
{
    watch *w = user;
    toll_sbf_args args = { .has_returned = event->has_returned, .memory = w->memory };
    const toll_sbf_syscall *known = toll_sbf_syscall_find(event->hash);
    for (unsigned r = 0; r <= 5; r++)
        args.r[r] = toll_sbf_reg(event->regs, r);
    if (known) {
        toll_sbf_price price = known->price(&w->costs, &args, known->detail);
        fuzz_see_number("prices", price.units);
        fuzz_see_number("prices", price.is_open);
    }
    toll_sbf_syscall_changes(known, &args, w->memory);
    toll_sbf_memory_watch(w->memory, args.r[5], 0);
    at(w, done);
    return true;
}

static void loaded(void *user, size_t tag, uint8_t value)
{
    (void)user, (void)tag, (void)value;
}

static bool instruction(void *user, uint64_t entry_pc, uint64_t pc, uint64_t done)
{
    const watch *w = user;
    fuzz_require(w->depth > 0, "an instruction outside of any function");
    fuzz_see_number("functions", entry_pc);
    fuzz_see_number("instructions", pc);
    at(user, done);
    return true;
}

static void read_trace(const toll_mem *mem, const uint8_t *data, size_t size)
{
    size_t part = size / (TOLL_SBF_REGS_SIZE + TOLL_SBF_INSN_SIZE) * TOLL_SBF_REGS_SIZE;
    static toll_sbf_memory memory;
    watch w = { .memory = &memory };
    toll_sbf_events events = { &w, enter, leave, syscall_made, instruction, &memory };
    toll_sbf_memory_clear(&memory);
    memory.loaded = loaded;
    toll_sbf_costs_set(&w.costs);
    toll_sbf_counts counts = { 0 };
    toll_failure failure = { 0 };
    toll_input *regs = open_part(mem, data, part);
    toll_input *insns = open_part(mem, data + part, size - part);
    if (regs && insns && toll_sbf_scan(regs, insns, NULL, &events, &counts, &failure)) {
        fuzz_require(w.depth == 0, "frames left open");
        fuzz_require(w.done == counts.instructions, "instructions lost");
    }
    toll_input_free(regs);
    toll_input_free(insns);
}

/* --- prices ------------------------------------------------------------------------------------*/

/* The price of each system call, with arguments that the bytes choose. */
static void see_prices(const uint8_t *data, size_t size)
{
    static const uint64_t values[] = { 0,    1,      2,      3,       4,         5,    6,    7,
                                       8,    31,     32,     33,      64,        100,  128,  191,
                                       192,  200,    384,    1000,    0x80,      0x82, 0x83, 0x85,
                                       0x86, 0x1000, 0x1008, 1 << 20, UINT64_MAX };
    static toll_sbf_memory memory;
    toll_sbf_args args = { .memory = &memory };
    toll_sbf_costs costs;
    const toll_sbf_syscall *call;
    if (size < 8)
        return;
    toll_sbf_costs_set(&costs);
    args.has_returned = data[0] & 1;
    for (unsigned r = 0; r <= 5; r++)
        args.r[r] = values[data[1 + r] % (sizeof values / sizeof *values)];
    for (unsigned i = 0; (call = toll_sbf_syscall_at(i)) != NULL; i++) {
        toll_sbf_memory_clear(&memory);
        toll_sbf_memory_fill(&memory, 0x1000, data[7] & 3, 64);
        toll_sbf_price price = call->price(&costs, &args, call->detail);
        fuzz_see_number("all prices", price.units);
        fuzz_see_number("all prices", price.is_open);
        toll_sbf_syscall_changes(call, &args, &memory);
        uint64_t word;
        bool is_known = toll_sbf_memory_read(&memory, 0x1008, &word);
        fuzz_see_number("words", is_known ? word : UINT64_MAX);
    }
    fuzz_see_number("bumps", toll_sbf_price_of_bump(&costs, data[7]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_mem mem = toll_mem_from(&a);
    if (size == 0)
        return 0;
    if (data[0] == 'e')
        read_elf(&mem, data + 1, size - 1);
    else if (data[0] == 'l')
        read_logs(&mem, data + 1, size - 1);
    else if (data[0] == 'p')
        see_prices(data + 1, size - 1);
    else
        read_trace(&mem, data + 1, size - 1);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
