/* amount.c - see amount.h. */
#include "gates/amount.h"

#include <string.h>

enum { MOST_DECIMALS = 6, PERCENT = 100 };

static const uint64_t most_percent = 1000000000;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_separator(char c)
{
    return c == ',' || c == '_';
}

/* A number with decimals: digits / 10^decimals. */
typedef struct number {
    uint64_t digits;
    unsigned decimals;
} number;

static bool add_digit(number *n, char c)
{
    uint64_t digit = (uint64_t)(c - '0');
    if (n->digits > ((uint64_t)INT64_MAX - digit) / 10)
        return false;
    n->digits = n->digits * 10 + digit;
    return true;
}

/* Read digits up to a separator or another character; *count is their number. */
static bool read_group(number *n, const char *text, size_t size, size_t *count)
{
    for (*count = 0; *count < size && is_digit(text[*count]); ++*count)
        if (!add_digit(n, text[*count]))
            return false;
    return true;
}

static const char *const too_large = "the number does not fit 64 bits";

/* Read the number at the start of text[size]; *used is its length. Returns NULL, or what is
 * wrong. */
static const char *read_number(const char *text, size_t size, number *n, size_t *used)
{
    size_t count, at;
    *n = (number){ 0 };
    if (!read_group(n, text, size, &count))
        return too_large;
    if (!count)
        return "a number is missing here; write one such as 45,000";
    bool first_is_short = count <= 3;
    for (at = count; at < size && is_separator(text[at]); at += count + 1) {
        if (!read_group(n, text + at + 1, size - at - 1, &count))
            return too_large;
        if (count != 3 || !first_is_short)
            return "a separator stands between groups of three digits: 1,204,331; decimals "
                   "follow a point";
    }
    if (at < size && text[at] == '.') {
        if (!read_group(n, text + at + 1, size - at - 1, &count))
            return too_large;
        if (!count || count > MOST_DECIMALS)
            return "a point is followed by 1 to 6 decimals";
        n->decimals = (unsigned)count;
        at += count + 1;
    }
    *used = at;
    return NULL;
}

static uint64_t power_of_ten(unsigned n)
{
    uint64_t v = 1;
    while (n--)
        v *= 10;
    return v;
}

/* --- amounts -----------------------------------------------------------------------------------*/

typedef struct amount_unit {
    const char *name;
    uint64_t times;
    toll_amount_kind kind;
} amount_unit;

static const amount_unit units[] = {
    { "", 1, TOLL_AMOUNT_PLAIN },
    { "k", 1000, TOLL_AMOUNT_PLAIN },
    { "M", 1000000, TOLL_AMOUNT_PLAIN },
    { "G", 1000000000, TOLL_AMOUNT_PLAIN },
    { "B", 1, TOLL_AMOUNT_BYTES },
    { "kB", 1000, TOLL_AMOUNT_BYTES },
    { "MB", 1000000, TOLL_AMOUNT_BYTES },
    { "GB", 1000000000, TOLL_AMOUNT_BYTES },
    { "KiB", UINT64_C(1) << 10, TOLL_AMOUNT_BYTES },
    { "MiB", UINT64_C(1) << 20, TOLL_AMOUNT_BYTES },
    { "GiB", UINT64_C(1) << 30, TOLL_AMOUNT_BYTES },
    { "CU", 1, TOLL_AMOUNT_CU },
};

static const amount_unit *find_unit(const char *name, size_t size)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == size && memcmp(units[i].name, name, size) == 0)
            return &units[i];
    return NULL;
}

static bool is_one_of(const char *const *names, const char *name, size_t size)
{
    for (; *names; names++)
        if (strlen(*names) == size && memcmp(*names, name, size) == 0)
            return true;
    return false;
}

static const char *unknown_unit(const char *name, size_t size)
{
    static const char *const times[] = { "ns", "us", "\xc2\xb5s", "ms", "s", NULL };
    static const char *const unclear[] = { "K", "KB", "kiB", NULL };
    if (is_one_of(times, name, size))
        return "time differs from run to run and has no exact budget; give one to ticks, compute "
               "units, calls or bytes";
    if (is_one_of(unclear, name, size))
        return "write kB for 1,000 bytes, KiB for 1,024, or k for 1,000 of anything";
    return "the unit is not known; units are B, kB, MB, GB, KiB, MiB, GiB, CU, and k, M, G of "
           "anything";
}

const char *toll_amount_parse(const char *text, size_t size, toll_amount *out)
{
    number n;
    size_t used;
    const char *wrong = read_number(text, size, &n, &used);
    if (wrong)
        return wrong;
    if (used < size && text[used] == ' ')
        used++;
    const amount_unit *u = find_unit(text + used, size - used);
    if (!u)
        return unknown_unit(text + used, size - used);
    uint64_t ten = power_of_ten(n.decimals);
    if (n.digits > (uint64_t)INT64_MAX / u->times)
        return too_large;
    if (n.digits * u->times % ten)
        return "this is no whole number of the unit; budgets are exact: write the number itself";
    *out = (toll_amount){ (int64_t)(n.digits * u->times / ten), u->kind };
    return NULL;
}

bool toll_amount_is_of(const toll_amount *a, const char *unit)
{
    static const char *const units_of_kind[] = { "", "bytes", "CU" };
    return a->kind == TOLL_AMOUNT_PLAIN || strcmp(units_of_kind[a->kind], unit) == 0;
}

/* --- allowances --------------------------------------------------------------------------------*/

const char *toll_allowance_parse(const char *text, size_t size, toll_allowance *out)
{
    number n;
    size_t used;
    *out = (toll_allowance){ .whole = 0 };
    if (!size || text[size - 1] != '%')
        return toll_amount_parse(text, size, &out->amount);
    const char *wrong = read_number(text, size - 1, &n, &used);
    if (wrong)
        return wrong;
    if (used + 1 != size)
        return "a percentage is a number and a %, such as 1% or 0.25%";
    if (n.digits > most_percent)
        return "the percentage is too large";
    out->part = n.digits;
    out->whole = PERCENT * power_of_ten(n.decimals);
    return NULL;
}

int64_t toll_allowance_of(const toll_allowance *a, int64_t base)
{
    if (!a->whole)
        return a->amount.value;
    /* Avoids overflow: base = q * whole + r, so base * part / whole = q * part + r * part / whole;
     * r * part is at most 10^8 * 10^9. */
    uint64_t size = base < 0 ? 0 - (uint64_t)base : (uint64_t)base;
    uint64_t q = size / a->whole, r = size % a->whole;
    uint64_t rest = r * a->part / a->whole;
    if (a->part && q > ((uint64_t)INT64_MAX - rest) / a->part)
        return INT64_MAX;
    return (int64_t)(q * a->part + rest);
}
