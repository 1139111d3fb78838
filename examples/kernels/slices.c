/* slices.c - a kernel with too much work for one kernel_run: it does a slice, stores its progress,
 * and reboots until all is done.
 *
 * An external message (after its first byte) is a number, 4 bytes, the lowest first: how many
 * primes to find. They are appended to /primes/list (4 bytes each), a page of 512 at a time. */
#include "rollup.h"

enum { SLICE = 200, PAGE = MAX_CHUNK / 4 };

static uint8_t message[MAX_MESSAGE];
static const char list_key[] = "/primes/list";

static text key_of(const char *name)
{
    text key = { 0 };
    text_add(&key, "/primes/");
    text_add(&key, name);
    return key;
}

static uint64_t get(const char *name)
{
    text key = key_of(name);
    return store_number(&key);
}

static void set(const char *name, uint64_t number)
{
    text key = key_of(name);
    store_set_number(&key, number);
}

static int is_prime(uint32_t n)
{
    for (uint32_t d = 2; d <= n / d; d++)
        if (n % d == 0)
            return 0;
    return n > 1;
}

static uint32_t next_prime(uint32_t after)
{
    do
        after++;
    while (!is_prime(after));
    return after;
}

static void append(const uint32_t *primes, uint32_t count)
{
    int32_t size = store_value_size(list_key, sizeof list_key - 1);
    store_write(list_key, sizeof list_key - 1, size < 0 ? 0 : (uint32_t)size, primes, count * 4);
}

/* Find up to SLICE primes more; how many are left to find then. */
static uint64_t work(uint64_t left)
{
    static uint32_t primes[PAGE];
    uint32_t last = (uint32_t)get("last"), found = 0;
    section_start("slice");
    for (; found < SLICE && found < left; found++)
        primes[found] = last = next_prime(last);
    append(primes, found);
    set("last", last);
    section_end("slice");
    return left - found;
}

static uint64_t read_orders(void)
{
    input_info info;
    uint64_t wanted = 0;
    for (int32_t size; (size = read_input(&info, message, sizeof message)) > 0;)
        if (size == 5 && message[0] == EXTERNAL)
            wanted += message[1] | (uint64_t)message[2] << 8 | (uint64_t)message[3] << 16 |
                      (uint64_t)message[4] << 24;
    return wanted;
}

void EXPORT(kernel_run)(void)
{
    uint64_t left = work(get("left") + read_orders());
    set("left", left);
    if (left)
        ask_for_reboot();
}
