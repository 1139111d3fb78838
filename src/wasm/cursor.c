/* cursor.c - see cursor.h. */
#include "wasm/cursor.h"

#include "base/fail.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

void toll_wasm_cursor_init(toll_wasm_cursor *c, const uint8_t *data, size_t start, size_t end)
{
    c->data = data;
    c->at = start;
    c->end = end;
    c->where = "";
    c->status = TOLL_OK;
    c->failed_at = 0;
    c->message[0] = 0;
    c->has_64_bits = false;
}

void toll_wasm_cursor_fail(toll_wasm_cursor *c, toll_status status, size_t at, const char *format,
                           ...)
{
    if (c->status)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(c->message, sizeof c->message, format, args);
    va_end(args);
    c->status = status;
    c->failed_at = at;
}

void toll_wasm_cursor_lacks(toll_wasm_cursor *c, size_t at, const char *what, const char *proposal)
{
    toll_wasm_cursor_fail(c, TOLL_E_UNSUPPORTED, at,
                          "%s is of the proposal %s, which is not known here; build the module "
                          "without it",
                          what, proposal);
}

void toll_wasm_cursor_no_memory(toll_wasm_cursor *c)
{
    toll_wasm_cursor_fail(c, TOLL_E_NOMEM, c->at, "not enough memory");
}

toll_status toll_wasm_cursor_check(const toll_wasm_cursor *c, const char *name, toll_error *err)
{
    if (c->status == TOLL_OK)
        return TOLL_OK;
    if (c->status == TOLL_E_NOMEM)
        return toll_fail_nomem(err);
    return toll_fail(err, c->status, "%s: at byte %zu%s: %s", name, c->failed_at, c->where,
                     c->message);
}

size_t toll_wasm_left(const toll_wasm_cursor *c)
{
    return c->status ? 0 : c->end - c->at;
}

static void fail_short(toll_wasm_cursor *c, size_t wanted)
{
    toll_wasm_cursor_fail(c, TOLL_E_TRUNCATED, c->at,
                          "%zu bytes wanted, %zu are left; build or fetch the module again", wanted,
                          c->end - c->at);
}

const uint8_t *toll_wasm_take_bytes(toll_wasm_cursor *c, size_t size)
{
    if (c->status)
        return NULL;
    if (size > c->end - c->at) {
        fail_short(c, size);
        return NULL;
    }
    c->at += size;
    return c->data + c->at - size;
}

uint8_t toll_wasm_take_u8(toll_wasm_cursor *c)
{
    const uint8_t *byte = toll_wasm_take_bytes(c, 1);
    return byte ? *byte : 0;
}

/* --- LEB128 ------------------------------------------------------------------------------------*/

/* Is the last possible byte of a number valid, if its lowest `used` bits (1 to 7) belong to the
 * number? No byte may follow, and the other bits must be 0, or repeat the sign. For 32 bits, 4 bits
 * of the fifth byte count: 0x0f is the largest unsigned one, 0x78 to 0x7f are negative signed
 * ones. */
static bool last_byte_sound(uint8_t byte, unsigned used, bool is_signed)
{
    unsigned unused = (unsigned)byte >> used;
    bool negative = is_signed && (byte >> (used - 1) & 1);
    return unused == (negative ? 0x7fu >> used : 0);
}

/* A number of `bits` bits, sign extended if signed. */
static uint64_t read_leb(toll_wasm_cursor *c, unsigned bits, bool is_signed)
{
    uint64_t value = 0;
    size_t start = c->at;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = toll_wasm_take_u8(c);
        if (c->status)
            return 0;
        if (shift + 7 >= bits && !last_byte_sound(byte, bits - shift, is_signed)) {
            toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, start,
                                  "a LEB128 number is larger than %u bits; build or fetch the "
                                  "module again",
                                  bits);
            return 0;
        }
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte >= 0x80)
            continue;
        if (is_signed && (byte & 0x40) && shift + 7 < 64)
            value |= UINT64_MAX << (shift + 7);
        return value;
    }
}

uint32_t toll_wasm_take_u32(toll_wasm_cursor *c)
{
    return (uint32_t)read_leb(c, 32, false);
}

uint64_t toll_wasm_take_u64(toll_wasm_cursor *c)
{
    return read_leb(c, 64, false);
}

/* Turn bits in two's complement into a number, without a conversion that C leaves to the
 * compiler. */
static int64_t as_signed(uint64_t bits)
{
    return bits <= INT64_MAX ? (int64_t)bits : -1 - (int64_t)~bits;
}

int32_t toll_wasm_take_s32(toll_wasm_cursor *c)
{
    return (int32_t)as_signed(read_leb(c, 32, true)); /* read_leb keeps it within 32 bits */
}

int64_t toll_wasm_take_s33(toll_wasm_cursor *c)
{
    return as_signed(read_leb(c, 33, true));
}

int64_t toll_wasm_take_s64(toll_wasm_cursor *c)
{
    return as_signed(read_leb(c, 64, true));
}

/* --- other values ------------------------------------------------------------------------------*/

static uint64_t read_fixed(toll_wasm_cursor *c, unsigned size)
{
    uint64_t value = 0;
    const uint8_t *bytes = toll_wasm_take_bytes(c, size);
    for (unsigned i = 0; bytes && i < size; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

uint32_t toll_wasm_take_4(toll_wasm_cursor *c)
{
    return (uint32_t)read_fixed(c, 4);
}

uint64_t toll_wasm_take_8(toll_wasm_cursor *c)
{
    return read_fixed(c, 8);
}

uint32_t toll_wasm_take_count(toll_wasm_cursor *c, const char *what)
{
    size_t start = c->at;
    uint32_t count = toll_wasm_take_u32(c);
    if (count <= toll_wasm_left(c))
        return count;
    toll_wasm_cursor_fail(c, TOLL_E_TRUNCATED, start,
                          "%lu %s claimed, %zu bytes are left; build or fetch the module again",
                          (unsigned long)count, what, c->end - c->at);
    return 0;
}

/* The offset of the first byte that is not UTF-8. A NUL is valid here, although toll_text_check
 * stops at it. */
static size_t check_utf8(const char *text, size_t size)
{
    size_t good = 0;
    while ((good += toll_text_check(text + good, size - good)) < size && text[good] == 0)
        good++;
    return good;
}

const char *toll_wasm_take_name(toll_wasm_cursor *c, size_t *size)
{
    *size = toll_wasm_take_u32(c);
    const char *text = (const char *)toll_wasm_take_bytes(c, *size);
    size_t good = text ? check_utf8(text, *size) : 0;
    if (text && good == *size)
        return text;
    if (text)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at - *size + good,
                              "a name is not UTF-8; build or fetch the module again");
    *size = 0;
    return NULL;
}

toll_wasm_bytes toll_wasm_take_text(toll_wasm_cursor *c)
{
    size_t size = 0;
    const char *name = toll_wasm_take_name(c, &size);
    return (toll_wasm_bytes){ (const uint8_t *)name, size };
}

/* --- types -------------------------------------------------------------------------------------*/

static bool is_number(uint8_t code)
{
    return code >= TOLL_WASM_V128_TYPE && code <= TOLL_WASM_I32_TYPE;
}

/* noexn, nofunc, noextern, none, func, extern, any, eq, i31, struct, array, exn. */
static bool is_abstract_heap(uint8_t code)
{
    return code >= 0x69 && code <= 0x74;
}

static const char *type_proposal(uint8_t code)
{
    switch (code) {
    case 0x75:                           /* nocont */
    case 0x68: return "stack switching"; /* cont */
    case 0x67:                           /* string, and its views */
    case 0x66:
    case 0x61:
    case 0x60: return "reference-typed strings";
    case 0x65: return "shared-everything threads"; /* shared */
    case 0x62: return "custom descriptors";        /* exact */
    }
    return NULL;
}

static toll_wasm_type fail_type(toll_wasm_cursor *c, size_t at, const char *what, uint8_t code)
{
    const char *proposal = type_proposal(code);
    char type[16];
    snprintf(type, sizeof type, "type 0x%02x", code);
    if (proposal)
        toll_wasm_cursor_lacks(c, at, type, proposal);
    else
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, at,
                              "0x%02x is not a %s; build or fetch the module again", code, what);
    return (toll_wasm_type){ 0 };
}

/* Read a value type or heap type: an s33 that begins at `start`. Negative numbers are types of one
 * byte: -1 is 0x7f. */
static toll_wasm_type read_type(toll_wasm_cursor *c, bool heap_only, const char *what)
{
    size_t start = c->at;
    int64_t number = toll_wasm_take_s33(c);
    if (c->status)
        return (toll_wasm_type){ 0 };
    if (number >= 0)
        return (toll_wasm_type){ TOLL_WASM_INDEX, 0, (uint32_t)number };
    uint8_t code = (uint8_t)(number + 0x80);
    if (number < -0x40 || c->at != start + 1)
        return fail_type(c, start, what, c->data[start]);
    if (is_abstract_heap(code) || (!heap_only && is_number(code)))
        return (toll_wasm_type){ code, 0, 0 };
    if (heap_only || (code != TOLL_WASM_REF && code != TOLL_WASM_REF_NULL))
        return fail_type(c, start, what, code);
    toll_wasm_type heap = read_type(c, true, "heap type");
    return (toll_wasm_type){ code, heap.code, heap.index };
}

toll_wasm_type toll_wasm_take_heap_type(toll_wasm_cursor *c)
{
    return read_type(c, true, "heap type");
}

toll_wasm_type toll_wasm_take_value_type(toll_wasm_cursor *c)
{
    size_t start = c->at;
    toll_wasm_type type = read_type(c, false, "value type");
    if (!c->status && type.code == TOLL_WASM_INDEX)
        return fail_type(c, start, "value type", c->data[start]);
    return type;
}

toll_wasm_type toll_wasm_take_block_type(toll_wasm_cursor *c)
{
    if (toll_wasm_left(c) > 0 && c->data[c->at] == TOLL_WASM_EMPTY) {
        c->at++;
        return (toll_wasm_type){ TOLL_WASM_EMPTY, 0, 0 };
    }
    return read_type(c, false, "block type");
}

void toll_wasm_pass_limits(toll_wasm_cursor *c)
{
    enum { HAS_MOST = 1, SHARED = 2, OF_64_BITS = 4, HAS_PAGE_SIZE = 8 };
    uint8_t flags = toll_wasm_take_u8(c);
    if (flags & ~(HAS_MOST | SHARED | OF_64_BITS | HAS_PAGE_SIZE))
        toll_wasm_cursor_fail(c, TOLL_E_UNSUPPORTED, c->at - 1, "limits of kind 0x%02x", flags);
    c->has_64_bits |= (flags & OF_64_BITS) != 0;
    toll_wasm_take_u64(c);
    if (flags & HAS_MOST)
        toll_wasm_take_u64(c);
    if (flags & HAS_PAGE_SIZE)
        toll_wasm_take_u32(c);
}

void toll_wasm_pass_table_type(toll_wasm_cursor *c)
{
    toll_wasm_take_value_type(c);
    toll_wasm_pass_limits(c);
}

void toll_wasm_pass_global_type(toll_wasm_cursor *c)
{
    toll_wasm_take_value_type(c);
    if (toll_wasm_take_u8(c) > 1)
        toll_wasm_cursor_lacks(c, c->at - 1, "a shared global", "shared-everything threads");
}
