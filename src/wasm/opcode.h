/* opcode.h - the table of WebAssembly's instructions: name, shape of the immediates, effect on
 * control flow.
 *
 * There is one row for each instruction of WebAssembly 3.0 and of some proposals (see
 * toll_wasm_proposal); toll_wasm_opcode_proposal names the proposal of an opcode without a row. The
 * table is static and never changes; any thread may use it. */
#ifndef TOLL_WASM_OPCODE_H
#define TOLL_WASM_OPCODE_H

#include <stdbool.h>
#include <stdint.h>

/* What follows the opcode. Names list the immediates in order of the bytes; indices are u32. */
typedef enum toll_wasm_shape {
    TOLL_WASM_NONE,
    TOLL_WASM_BLOCK_TYPE,     /* block, loop, if, try */
    TOLL_WASM_TRY_TABLE,      /* block type, vector of catches */
    TOLL_WASM_LABEL,          /* br, rethrow, delegate, ... */
    TOLL_WASM_LABELS,         /* br_table: vector of labels, default label */
    TOLL_WASM_FUNCTION,       /* call, return_call, ref.func: the indices that get renumbered */
    TOLL_WASM_TYPE,           /* call_ref, struct.new, ... */
    TOLL_WASM_TYPE_TABLE,     /* call_indirect */
    TOLL_WASM_TYPE_TYPE,      /* array.copy */
    TOLL_WASM_TYPE_FIELD,     /* struct.get */
    TOLL_WASM_TYPE_COUNT,     /* array.new_fixed */
    TOLL_WASM_TYPE_DATA,      /* array.new_data */
    TOLL_WASM_TYPE_ELEMENT,   /* array.new_elem */
    TOLL_WASM_TAG,            /* throw, catch */
    TOLL_WASM_LOCAL,          /* local.get */
    TOLL_WASM_GLOBAL,         /* global.get */
    TOLL_WASM_TABLE,          /* table.get */
    TOLL_WASM_TABLE_TABLE,    /* table.copy: to, from */
    TOLL_WASM_ELEMENT_TABLE,  /* table.init */
    TOLL_WASM_ELEMENT,        /* elem.drop */
    TOLL_WASM_MEMORY,         /* memory.size */
    TOLL_WASM_MEMORY_MEMORY,  /* memory.copy: to, from */
    TOLL_WASM_DATA_MEMORY,    /* memory.init */
    TOLL_WASM_DATA,           /* data.drop */
    TOLL_WASM_MEMARG,         /* loads and stores: alignment, memory if bit 6 is set, offset */
    TOLL_WASM_MEMARG_LANE,    /* v128.load8_lane: memarg, lane */
    TOLL_WASM_I32,            /* signed LEB128 of 32 bits */
    TOLL_WASM_I64,            /* signed LEB128 of 64 bits */
    TOLL_WASM_F32,            /* 4 bytes */
    TOLL_WASM_F64,            /* 8 bytes */
    TOLL_WASM_V128,           /* 16 bytes */
    TOLL_WASM_LANES,          /* i8x16.shuffle: 16 bytes */
    TOLL_WASM_LANE,           /* 1 byte */
    TOLL_WASM_ORDER,          /* atomic.fence: 1 byte, 0 */
    TOLL_WASM_VALUE_TYPES,    /* select with types: vector of value types */
    TOLL_WASM_HEAP_TYPE,      /* ref.null, ref.test, ref.cast */
    TOLL_WASM_BRANCH_ON_CAST, /* flags byte, label, heap type from, heap type to */
    TOLL_WASM_SHAPES
} toll_wasm_shape;

/* The instruction's effect on control flow, as far as it matters for inserting code. */
typedef enum toll_wasm_flow {
    TOLL_WASM_PLAIN,     /* continues with the next instruction, or traps */
    TOLL_WASM_OPENS,     /* block, loop, if, try, try_table: one level deeper */
    TOLL_WASM_ELSE,      /* second half of an if: same level */
    TOLL_WASM_CATCH,     /* catch, catch_all: next part of a try, same level */
    TOLL_WASM_END,       /* one level up; the last one ends the function */
    TOLL_WASM_DELEGATE,  /* ends a try, in place of end */
    TOLL_WASM_BRANCH,    /* br, br_if, br_table, br_on_...; may leave the function */
    TOLL_WASM_RETURN,    /* leaves the function */
    TOLL_WASM_CALL,      /* returns, or throws */
    TOLL_WASM_TAIL_CALL, /* leaves the function for another */
    TOLL_WASM_STOP,      /* unreachable, throw, throw_ref, rethrow */
    TOLL_WASM_FLOWS
} toll_wasm_flow;

typedef enum toll_wasm_proposal {
    TOLL_WASM_MVP,
    TOLL_WASM_SIGN_EXTENSION,
    TOLL_WASM_SATURATING,
    TOLL_WASM_BULK_MEMORY,
    TOLL_WASM_REFERENCE_TYPES,
    TOLL_WASM_SIMD,
    TOLL_WASM_RELAXED_SIMD,
    TOLL_WASM_THREADS,
    TOLL_WASM_TAIL_CALLS,
    TOLL_WASM_LEGACY_EXCEPTIONS,
    TOLL_WASM_EXCEPTIONS,
    TOLL_WASM_FUNCTION_REFERENCES,
    TOLL_WASM_GC,
    TOLL_WASM_WIDE_ARITHMETIC,
    TOLL_WASM_IN_TABLE, /* proposals from here on have no rows, and appear only in errors */
    TOLL_WASM_STACK_SWITCHING = TOLL_WASM_IN_TABLE,
    TOLL_WASM_SHARED_EVERYTHING,
    TOLL_WASM_CUSTOM_DESCRIPTORS,
    TOLL_WASM_STRINGREF,
    TOLL_WASM_HALF_PRECISION,
    TOLL_WASM_MEMORY_CONTROL,
    TOLL_WASM_PROPOSALS
} toll_wasm_proposal;

/* Opcodes without prefix that an instrumenter looks for, writes or has a cost for. */
enum {
    TOLL_WASM_OP_UNREACHABLE = 0x00,
    TOLL_WASM_OP_NOP = 0x01,
    TOLL_WASM_OP_BLOCK = 0x02,
    TOLL_WASM_OP_LOOP = 0x03,
    TOLL_WASM_OP_IF = 0x04,
    TOLL_WASM_OP_ELSE = 0x05,
    TOLL_WASM_OP_TRY = 0x06,
    TOLL_WASM_OP_END = 0x0b,
    TOLL_WASM_OP_BR = 0x0c,
    TOLL_WASM_OP_BR_IF = 0x0d,
    TOLL_WASM_OP_BR_TABLE = 0x0e,
    TOLL_WASM_OP_RETURN = 0x0f,
    TOLL_WASM_OP_CALL = 0x10,
    TOLL_WASM_OP_RETURN_CALL = 0x12,
    TOLL_WASM_OP_RETURN_CALL_REF = 0x15,
    TOLL_WASM_OP_DROP = 0x1a,
    TOLL_WASM_OP_TRY_TABLE = 0x1f,
    TOLL_WASM_OP_LOCAL_GET = 0x20,
    TOLL_WASM_OP_LOCAL_SET = 0x21,
    TOLL_WASM_OP_LOCAL_TEE = 0x22,
    TOLL_WASM_OP_GLOBAL_GET = 0x23,
    TOLL_WASM_OP_GLOBAL_SET = 0x24,
    TOLL_WASM_OP_I64_LOAD = 0x29,
    TOLL_WASM_OP_I64_STORE = 0x37,
    TOLL_WASM_OP_I32_CONST = 0x41,
    TOLL_WASM_OP_I64_CONST = 0x42,
    TOLL_WASM_OP_I32_EQ = 0x46,
    TOLL_WASM_OP_I32_NE = 0x47,
    TOLL_WASM_OP_I32_LT_U = 0x49,
    TOLL_WASM_OP_I64_EQ = 0x51,
    TOLL_WASM_OP_I32_ADD = 0x6a,
    TOLL_WASM_OP_I32_SHL = 0x74,
    TOLL_WASM_OP_I64_ADD = 0x7c,
    TOLL_WASM_OP_I64_MUL = 0x7e,
    TOLL_WASM_OP_I64_OR = 0x84,
    TOLL_WASM_OP_I64_SHL = 0x86,
    TOLL_WASM_OP_I64_EXTEND_I32_U = 0xad,
    TOLL_WASM_OP_REF_FUNC = 0xd2
};

typedef struct toll_wasm_opcode {
    const char *name; /* in the text format; ref.test and ref.cast have two rows each */
    uint8_t prefix;   /* 0, or 0xfb to 0xfe: then the code follows as u32 */
    uint8_t shape;    /* toll_wasm_shape */
    uint8_t flow;     /* toll_wasm_flow */
    uint8_t proposal; /* toll_wasm_proposal */
    uint16_t code;
    uint16_t number; /* of the row among all prefixes': below TOLL_WASM_NUMBERS, with gaps */
} toll_wasm_opcode;

enum { TOLL_WASM_NUMBERS = 0x2d0 };

/* Is this first byte a prefix (0xfb to 0xfe)? */
static inline int toll_wasm_is_prefix(uint8_t byte)
{
    return byte >= 0xfb && byte <= 0xfe;
}

/* The row of an opcode; NULL if there is none. O(1). */
const toll_wasm_opcode *toll_wasm_opcode_find(uint8_t prefix, uint32_t code);

/* The row of that number; NULL if there is none. O(1). */
const toll_wasm_opcode *toll_wasm_opcode_numbered(uint32_t number);

/* May a TOLL_WASM_PLAIN instruction trap? Always true for those with a prefix. O(1). */
bool toll_wasm_may_trap(const toll_wasm_opcode *opcode);

/* The name of the proposal to which an opcode without a row belongs; NULL: not known. */
const char *toll_wasm_opcode_proposal(uint8_t prefix, uint32_t code);

/* The name of a proposal, such as "stack switching". */
const char *toll_wasm_proposal_name(toll_wasm_proposal proposal);

#endif
