/* ledger.c - a kernel that keeps accounts: people mint and transfer, the store has the balances.
 *
 * An external message (after its first byte, 01) is
 *     'm' ACCOUNT[4] AMOUNT[8]                          new money
 *     't' FROM[4] TO[4] AMOUNT[8] PROOF[8]              PROOF: fnv1a of what comes before it
 * with numbers the lowest byte first. /accounts/HEX has each balance, /transfers and /refused count
 * messages; the level's end writes an output: 'L', then a checksum over all balances. */
#include "rollup.h"

enum { ACCOUNT = 4, AMOUNT = 8, PROOF = 8 };

typedef struct transfer {
    const uint8_t *from;
    const uint8_t *to;
    uint64_t amount;
} transfer;

static uint8_t message[MAX_MESSAGE];

static uint64_t fnv1a(uint64_t hash, const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    return hash;
}

static const uint64_t fnv_start = 0xcbf29ce484222325;

static uint64_t parse_u64(const uint8_t *bytes)
{
    uint64_t number = 0;
    for (int i = 7; i >= 0; i--)
        number = number << 8 | bytes[i];
    return number;
}

static text account_key(const uint8_t *account)
{
    text key = { 0 };
    text_add(&key, "/accounts/");
    text_add_hex(&key, account, ACCOUNT);
    return key;
}

static uint64_t balance(const uint8_t *account)
{
    text key = account_key(account);
    return store_number(&key);
}

static void set_balance(const uint8_t *account, uint64_t amount)
{
    text key = account_key(account);
    store_set_number(&key, amount);
}

static void count(const char *name)
{
    text key = { 0 };
    text_add(&key, name);
    store_set_number(&key, store_number(&key) + 1);
}

static int mint(const uint8_t *bytes, uint32_t size)
{
    if (size != ACCOUNT + AMOUNT)
        return 0;
    uint64_t sum;
    if (__builtin_add_overflow(balance(bytes), parse_u64(bytes + ACCOUNT), &sum))
        return 0;
    set_balance(bytes, sum);
    return 1;
}

static int has_proof(const uint8_t *bytes, uint32_t size)
{
    return fnv1a(fnv_start, bytes, size - PROOF) == parse_u64(bytes + size - PROOF);
}

static int parse_transfer(const uint8_t *bytes, uint32_t size, transfer *t)
{
    if (size != 2 * ACCOUNT + AMOUNT + PROOF || !has_proof(bytes, size))
        return 0;
    *t = (transfer){ bytes, bytes + ACCOUNT, parse_u64(bytes + 2 * ACCOUNT) };
    return 1;
}

static int apply_transfer(const transfer *t)
{
    uint64_t from = balance(t->from), sum;
    if (from < t->amount)
        return 0;
    set_balance(t->from, from - t->amount);
    if (__builtin_add_overflow(balance(t->to), t->amount, &sum)) {
        set_balance(t->from, from);
        return 0;
    }
    set_balance(t->to, sum);
    return 1;
}

static int handle_transfer(const uint8_t *bytes, uint32_t size)
{
    transfer t;
    if (!parse_transfer(bytes, size, &t) || !apply_transfer(&t))
        return 0;
    count("/transfers");
    return 1;
}

static void handle_external(const uint8_t *bytes, uint32_t size)
{
    section_start("message");
    int done = size && *bytes == 'm'   ? mint(bytes + 1, size - 1)
               : size && *bytes == 't' ? handle_transfer(bytes + 1, size - 1)
                                       : 0;
    if (!done)
        count("/refused");
    section_end("message");
}

static uint64_t add_account(uint64_t sum, int64_t index)
{
    static const char folder[] = "/accounts";
    char name[2 * ACCOUNT];
    if (store_get_nth_key(folder, sizeof folder - 1, index, name, sizeof name) != sizeof name)
        return sum;
    text key = { 0 };
    text_add(&key, "/accounts/");
    for (uint32_t i = 0; i < sizeof name; i++)
        key.bytes[key.size++] = name[i];
    uint64_t amount = store_number(&key);
    sum = fnv1a(sum, (const uint8_t *)name, sizeof name);
    return fnv1a(sum, (const uint8_t *)&amount, sizeof amount);
}

static void end_level(void)
{
    section_start("checksum");
    uint64_t sum = fnv_start;
    int64_t accounts = store_list_size("/accounts", 9);
    for (int64_t i = 0; i < accounts; i++)
        sum = add_account(sum, i);
    uint8_t output[1 + sizeof sum] = { 'L' };
    for (uint32_t i = 0; i < sizeof sum; i++)
        output[1 + i] = (uint8_t)(sum >> 8 * i);
    write_output(output, sizeof output);
    section_end("checksum");
}

void EXPORT(kernel_run)(void)
{
    input_info info;
    int32_t size;
    while ((size = read_input(&info, message, sizeof message)) > 0) {
        if (message[0] == EXTERNAL)
            handle_external(message + 1, (uint32_t)size - 1);
        else if (size > 1 && message[1] == END_OF_LEVEL)
            end_level();
    }
    debug("ledger: level done\n");
}
