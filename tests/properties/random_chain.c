/* random_chain.c - see random_chain.h. */
#include "random_chain.h"

#include "random_profile.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CALL = 0x85,
    EXIT = 0x95,
    MOVE = 0xbf,
    BUDGET = 200000,
    RESERVE = 30000, /* no more than this for a single step */
    MOST_DEPTH = 4,  /* of invocations, and of functions */
    LOG = 0x207559bd,
    UNITS = 0x52ba5096,
    UNKNOWN = 0x12345678
};

static const char SYSTEM[] = "11111111111111111111111111111111";
static const char *const programs[] = { "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
                                        "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
                                        "Swap111111111111111111111111111111111111111" };

static void require(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "cannot make random transactions: %s\n", what);
        exit(2);
    }
}

static uint32_t below(chain *c, uint32_t n)
{
    return random_below(&c->state, n);
}

static void say(chain *c, const char *format, ...)
{
    char line[200];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    toll_buffer *lines = &c->transactions[c->count].lines;
    require(toll_buffer_append_text(lines, line) && toll_buffer_append_byte(lines, '\n'), "a line");
}

/* --- traces ------------------------------------------------------------------------------------*/

typedef struct trace {
    toll_buffer regs, insns;
    uint64_t pc, r10, result;
    uint64_t returns[MOST_DEPTH];
    unsigned depth;
} trace;

static void append_number(toll_buffer *out, uint64_t number, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        require(toll_buffer_append_byte(out, (uint8_t)(number >> 8 * i)), "a number");
}

/* An instruction, which costs one unit; `argument` is in registers 1 to 5. */
static void step(chain *c, trace *t, uint8_t op, uint32_t imm, uint64_t argument)
{
    append_number(&t->regs, t->result, 8);
    for (unsigned r = 1; r < 10; r++)
        append_number(&t->regs, argument, 8);
    append_number(&t->regs, t->r10, 8);
    append_number(&t->regs, t->pc, 8);
    append_number(&t->insns, op, 4);
    append_number(&t->insns, imm, 4);
    t->pc++;
    c->remaining--;
}

static void enter(chain *c, trace *t)
{
    step(c, t, CALL, 1, 0);
    t->returns[t->depth++] = t->pc;
    t->pc = 1000 * (1 + below(c, 5));
    t->r10 += 0x1000;
}

static void leave(chain *c, trace *t)
{
    step(c, t, EXIT, 0, 0);
    t->pc = t->returns[--t->depth];
    t->r10 -= 0x1000;
}

static void save(chain *c, const char *extension, const void *data, size_t size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%016x.%s", c->folder, c->traces, extension);
    FILE *f = fopen(path, "wb");
    require(f && fwrite(data, 1, size, f) == size && fclose(f) == 0, path);
}

static void save_trace(chain *c, trace *t, const char *program)
{
    save(c, "regs", t->regs.data, t->regs.size);
    save(c, "insns", t->insns.data, t->insns.size);
    save(c, "program_id", program, strlen(program));
    c->traces++;
    toll_buffer_free(&t->regs);
    toll_buffer_free(&t->insns);
}

/* --- system calls ------------------------------------------------------------------------------*/

/* Prices as of the runtime, or now and then others. */
static void call(chain *c, trace *t)
{
    static const struct {
        uint32_t hash, base, each, most; /* what it costs: base + each * (up to `most`) */
    } calls[] = {
        { LOG, 100, 0, 0 },
        { UNITS, 100, 0, 0 },
        { 0xedef5aee, 100, 0, 0 },     /* sol_remaining_compute_units */
        { 0x717cc4a3, 10, 0, 0 },      /* sol_memcpy_ */
        { 0x11f49d86, 85, 10, 4 },     /* sol_sha256 */
        { 0x48504a38, 1500, 1500, 5 }, /* sol_try_find_program_address */
        { UNKNOWN, 0, 1, 500 },
    };
    uint32_t i = below(c, sizeof calls / sizeof *calls), argument = 1 + below(c, 4);
    bool is_odd = below(c, 12) == 0;
    step(c, t, CALL, calls[i].hash, argument);
    c->remaining -= (int64_t)calls[i].base + (int64_t)calls[i].each * below(c, calls[i].most + 1) +
                    (is_odd ? below(c, 200) : 0);
    t->result = calls[i].hash == 0xedef5aee ? (uint64_t)c->remaining : 0;
    if (calls[i].hash == LOG)
        say(c, "Program log: %s", below(c, 2) ? "Instruction: Swap" : "a text");
    if (calls[i].hash == UNITS)
        say(c, "Program consumption: %" PRId64 " units remaining", c->remaining);
}

/* --- programs ----------------------------------------------------------------------------------*/

static bool run_program(chain *c, unsigned height);

static void run_built_in(chain *c, unsigned height)
{
    c->remaining -= 150;
    say(c, "Program %s invoke [%u]", SYSTEM, height);
    say(c, "Program %s success", SYSTEM);
}

/* False: the callee failed, and so does the caller. */
static bool invoke(chain *c, trace *t, unsigned height)
{
    step(c, t, CALL, 0xd7449092, below(c, 3));
    c->remaining -= 946 + below(c, 100);
    t->result = 0;
    if (below(c, 3) > 0)
        return run_program(c, height + 1);
    run_built_in(c, height + 1);
    return true;
}

/* One or a few instructions. False: the program has failed in them. */
static bool go_on(chain *c, trace *t, unsigned height)
{
    switch (below(c, 10)) {
    case 0:
        if (t->depth < MOST_DEPTH)
            enter(c, t);
        return true;
    case 1:
        if (t->depth > 0)
            leave(c, t);
        return true;
    case 2:
    case 3: call(c, t); return true;
    case 4: return height == MOST_DEPTH || invoke(c, t, height);
    default: step(c, t, MOVE, 0, below(c, 1000)); return true;
    }
}

typedef enum ending { RETURNS, FAILS, CALLEE_FAILED, STOPPED, ENDINGS } ending;

static void say_end(chain *c, const char *program, int64_t budget, ending how)
{
    static const char *const texts[ENDINGS] = {
        [RETURNS] = "success",
        [FAILS] = "failed: custom program error: 0x1",
        [CALLEE_FAILED] = "failed: custom program error: 0x1",
        [STOPPED] = "failed: Access violation in unknown section at address 0x0 of size 8",
    };
    say(c, "Program %s consumed %" PRId64 " of %" PRId64 " compute units", program,
        budget - c->remaining, budget);
    say(c, "Program %s %s", program, texts[how]);
    if (how == STOPPED) /* it is charged, but in no line */
        c->remaining = 0;
}

static bool run_program(chain *c, unsigned height)
{
    const char *program = programs[below(c, 3)];
    const toll_mem mem = toll_mem_from(NULL);
    int64_t budget = c->remaining;
    uint32_t length = below(c, 40);
    bool good = true;
    trace t = { .r10 = UINT64_C(0x200001000) };
    toll_buffer_init(&t.regs, &mem);
    toll_buffer_init(&t.insns, &mem);
    say(c, "Program %s invoke [%u]", program, height);
    for (uint32_t i = 0; good && i < length && c->remaining > RESERVE; i++)
        good = go_on(c, &t, height);
    ending how = !good ? CALLEE_FAILED : below(c, 8) ? RETURNS : below(c, 2) ? FAILS : STOPPED;
    while (good && t.depth > 0)
        leave(c, &t);
    t.result = how == FAILS;
    if (good)
        step(c, &t, how == STOPPED ? MOVE : EXIT, 0, 0);
    save_trace(c, &t, program);
    say_end(c, program, budget, how);
    return how == RETURNS;
}

/* --- transactions ------------------------------------------------------------------------------*/

void chain_run(chain *c, unsigned seed, const char *folder)
{
    const toll_mem mem = toll_mem_from(NULL);
    *c = (chain){ .state = seed, .folder = folder };
    unsigned count = 1 + below(c, CHAIN_MOST_TRANSACTIONS);
    for (; c->count < count; c->count++) {
        uint32_t instructions = 1 + below(c, 4);
        bool good = true;
        chain_transaction *own = &c->transactions[c->count];
        snprintf(own->name, sizeof own->name, "%.*s%u", 70,
                 "TransactionTransactionTransactionTransactionTransactionTransactionTransaction",
                 c->count + 1);
        toll_buffer_init(&own->lines, &mem);
        c->remaining = BUDGET;
        for (uint32_t i = 0; good && i < instructions; i++)
            if (below(c, 4))
                good = run_program(c, 1);
            else
                run_built_in(c, 1);
        /* Sometimes for something that is not in the log, such as a larger heap. */
        int64_t more = good && below(c, 5) == 0 ? 8 : 0;
        own->charged = BUDGET - c->remaining + more;
    }
}

void chain_free(chain *c)
{
    for (unsigned i = 0; i < c->count; i++)
        toll_buffer_free(&c->transactions[i].lines);
}

/* --- logs --------------------------------------------------------------------------------------*/

/* How often a line is there: once, unless it is damaged. */
static unsigned times(chain *c, bool damage)
{
    return !damage || below(c, 30) ? 1 : 2 * below(c, 2);
}

static void append_line(chain *c, bool damage, const char *line, size_t size, toll_buffer *out)
{
    for (size_t i = 0; i < size; i++) {
        bool other = damage && line[i] >= '0' && line[i] <= '9' && below(c, 400) == 0;
        require(
            toll_buffer_append_byte(out, other ? (uint8_t)('0' + below(c, 10)) : (uint8_t)line[i]),
            "a line");
    }
}

void chain_append_json(chain *c, bool damage, toll_buffer *out)
{
    for (unsigned i = 0; i < c->count; i++) {
        const toll_buffer *lines = &c->transactions[i].lines;
        const char *at = (const char *)lines->data, *end = at + lines->size, *next;
        bool first = true;
        toll_buffer_append_format(out, "{\"signature\":\"%s\",\"logs\":[", c->transactions[i].name);
        for (; at < end; at = next + 1) {
            next = memchr(at, '\n', (size_t)(end - at));
            for (unsigned n = times(c, damage); n > 0; n--) {
                toll_buffer_append_text(out, first ? "\"" : ",\"");
                append_line(c, damage, at, (size_t)(next - at), out);
                toll_buffer_append_text(out, "\"");
                first = false;
            }
        }
        toll_buffer_append_format(out, "],\"unitsConsumed\":%" PRId64 "}\n",
                                  c->transactions[i].charged);
    }
    require(!out->failed, "JSON");
}

void chain_append_text(chain *c, toll_buffer *out)
{
    for (unsigned i = 0; i < c->count; i++) {
        toll_buffer_append_format(out, "Signature 0: %s\nCompute Units Consumed: %" PRId64 "\n",
                                  c->transactions[i].name, c->transactions[i].charged);
        toll_buffer_append(out, c->transactions[i].lines.data, c->transactions[i].lines.size);
    }
    require(!out->failed, "a text");
}
