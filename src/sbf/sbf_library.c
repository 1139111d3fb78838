/* sbf_library.c - see sbf_library.h. */
#include "sbf/sbf_library.h"

#include <stdbool.h>

#ifdef TOLL_NO_LIBRARY_SHAPES /* toll.wasm, of which the shapes would be a tenth */

const char *toll_sbf_library_name(const uint8_t *text, size_t text_size, uint64_t pc)
{
    (void)text, (void)text_size, (void)pc;
    return NULL;
}

#else

enum {
    INSN_SIZE = 8,
    OP_CALL = 0x85,
    OP_CALL_REGISTER = 0x8d,
    OP_EXIT = 0x95,
    OP_JUMP = 0x05,
    OP_CONSTANT = 0x18, /* of 64 bits: takes two slots */
    CLASS = 7,
    CLASS_JUMP = 5,
    CLASS_JUMP_32 = 6,
    LONGEST = 8192 /* at least the largest size of a shape */
};

static uint64_t mix(uint64_t hash, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t mix_instruction(uint64_t hash, const uint8_t *insn)
{
    uint8_t op = insn[0], class = op & CLASS;
    const uint8_t head[3] = { op, insn[1] & 15, insn[1] >> 4 };
    bool is_call = op == OP_CALL || op == OP_CALL_REGISTER;
    hash = mix(hash, head, sizeof head);
    if (class != CLASS_JUMP && class != CLASS_JUMP_32)
        hash = mix(hash, insn + 2, 2);
    return is_call || op == OP_CONSTANT ? hash : mix(hash, insn + 4, 4);
}

/* The first shape that is not before (hash, size). */
static size_t first_from(uint64_t hash, uint32_t size)
{
    size_t low = 0, high = toll_sbf_library_shape_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const toll_sbf_library_shape *at = &toll_sbf_library_shapes[middle];
        if (at->hash < hash || (at->hash == hash && at->size < size))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const char *find(uint64_t hash, uint32_t size)
{
    size_t i = first_from(hash, size);
    const toll_sbf_library_shape *at = &toll_sbf_library_shapes[i];
    return i < toll_sbf_library_shape_count && at->hash == hash && at->size == size ? at->name
                                                                                    : NULL;
}

/* May a function end with this instruction? Calls are of functions that do not return. */
static bool may_end(uint8_t op)
{
    return op == OP_EXIT || op == OP_JUMP || op == OP_CALL || op == OP_CALL_REGISTER;
}

const char *toll_sbf_library_name(const uint8_t *text, size_t text_size, uint64_t pc)
{
    const char *name = NULL;
    uint64_t slots = text_size / INSN_SIZE, hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t size = 0; size < LONGEST && pc < slots && size < slots - pc;) {
        const uint8_t *insn = text + (pc + size) * INSN_SIZE;
        hash = mix_instruction(hash, insn);
        size += insn[0] == OP_CONSTANT ? 2 : 1;
        const char *found = may_end(insn[0]) ? find(hash, size) : NULL;
        name = found ? found : name;
    }
    return name;
}

#endif
