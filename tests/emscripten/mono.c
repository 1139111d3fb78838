/* mono.c - allocates through functions with the names of Mono's and dlmalloc's own. Linked with
 * toll-heap.c. */
#include <emscripten.h>
#include <stdlib.h>

static volatile int marks;

#define ALLOCATOR(NAME, CALL)                                                                      \
    __attribute__((noinline)) void *NAME(size_t size)                                              \
    {                                                                                              \
        void *block = CALL;                                                                        \
        marks++;                                                                                   \
        return block;                                                                              \
    }
ALLOCATOR(monoeg_malloc, malloc(size))
ALLOCATOR(monoeg_malloc0, calloc(size, 1))
ALLOCATOR(monoeg_g_calloc, monoeg_malloc(size))
ALLOCATOR(internal_memalign, memalign(64, size))
ALLOCATOR(dlposix_memalign, internal_memalign(size))
ALLOCATOR(sgen_card_table_init, dlposix_memalign(size))
ALLOCATOR(load_image, monoeg_g_calloc(size))
ALLOCATOR(load_type, monoeg_malloc0(size))

EMSCRIPTEN_KEEPALIVE void load(void)
{
    sgen_card_table_init(8404992);
    for (int i = 0; i < 10; i++) {
        load_image(1000);
        load_type(100);
    }
}

int main(void)
{
    return 0;
}
