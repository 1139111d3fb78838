/* bench_wasm.c MODULE... - how fast modules are instrumented, and with how much memory. Without a
 * module: one of 100,000 functions, made here. */
#include "bench.h"

#include <string.h>

enum { ROUNDS = 5, FUNCTIONS = 100000 };

/* local.get 0, 1; i32.add; local.set 2; a block with a conditional branch; a call. */
static const uint8_t body[] = { 1,    1,    0x7f, 0x20, 0,    0x20, 0,    0x41, 7,    0x6a, 0x21, 1,
                                0x02, 0x40, 0x20, 1,    0x0d, 0,    0x20, 0,    0x20, 1,    0x36, 2,
                                16,   0x0b, 0x20, 1,    0x10, 0,    0x41, 3,    0x6c, 0x0b };

static size_t put_u32(uint8_t *out, uint32_t value) /* always five bytes */
{
    for (int i = 0; i < 5; i++)
        out[i] = (uint8_t)((value >> 7 * i & 0x7f) | (i < 4 ? 0x80 : 0));
    return 5;
}

static uint8_t *make_module(size_t *size)
{
    static const uint8_t head[] = { 0, 'a', 's', 'm', 1, 0, 0, 0, 1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f };
    uint8_t *m = malloc(sizeof head + 100 + FUNCTIONS * (1 + sizeof body + 1)), *p = m;
    if (!m)
        exit(1);
    memcpy(p, head, sizeof head);
    p += sizeof head;
    *p++ = 3;
    p += put_u32(p, FUNCTIONS + 5);
    p += put_u32(p, FUNCTIONS);
    memset(p, 0, FUNCTIONS);
    p += FUNCTIONS;
    memcpy(p, (const uint8_t[]){ 5, 3, 1, 0, 1 }, 5); /* a memory */
    p += 5;
    *p++ = 10;
    p += put_u32(p, FUNCTIONS * (uint32_t)(1 + sizeof body) + 5);
    p += put_u32(p, FUNCTIONS);
    for (int i = 0; i < FUNCTIONS; i++) {
        *p++ = sizeof body;
        memcpy(p, body, sizeof body);
        p += sizeof body;
    }
    *size = (size_t)(p - m);
    return m;
}

static void run(const char *name, const void *data, size_t size)
{
    double best = 1e9;
    toll_budget budget = { .limit = SIZE_MAX };
    toll_allocator a = toll_budget_allocator(&budget);
    for (int i = 0; i < bench_rounds(ROUNDS); i++) {
        toll_input *in;
        toll_output *out;
        bench_ok(toll_input_from_memory(&a, data, size, name, &in, NULL));
        bench_ok(toll_output_open(&a, "/dev/null", 0, &out, NULL));
        double start = bench_now();
        bench_ok(toll_wasm_instrument(&a, in, NULL, out, NULL));
        double took = bench_now() - start;
        best = took < best ? took : best;
        toll_output_free(out);
        toll_input_free(in);
    }
    printf(
        "instrument: %.1f MB at %.0f MB/s (goal 100), memory %.1f times the module (goal 4): %s\n",
        (double)size * 1e-6, (double)size * 1e-6 / best, (double)budget.peak / (double)size, name);
}

int main(int argc, char **argv)
{
    size_t size;
    uint8_t *made = make_module(&size);
    run("100,000 small functions", made, size);
    free(made);
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        uint8_t *data = malloc(64 << 20);
        size = f && data ? fread(data, 1, 64 << 20, f) : 0;
        if (size)
            run(argv[i], data, size);
        free(data);
        if (f)
            fclose(f);
    }
    return 0;
}
