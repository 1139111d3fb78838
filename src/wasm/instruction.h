/* instruction.h - decodes the instructions of function bodies and constant expressions, one by one.
 * An instrumenter can copy each one byte for byte, or all of it except a function index.
 *
 * Only the encoding is checked, not validity: indices may be out of range and blocks unbalanced. */
#ifndef TOLL_WASM_INSTRUCTION_H
#define TOLL_WASM_INSTRUCTION_H

#include "wasm/cursor.h"
#include "wasm/opcode.h"

/* Bytes of the module: data[start..end). */
typedef struct toll_wasm_span {
    size_t start, end;
} toll_wasm_span;

/* A decoded instruction. Fields that its shape does not have are 0. To copy it, copy the bytes of
 * `span`. */
typedef struct toll_wasm_instruction {
    const toll_wasm_opcode *opcode;
    toll_wasm_span span;     /* opcode and immediates */
    toll_wasm_span function; /* the bytes of a function index, which is index[0]; or empty */
    uint32_t index[2];       /* indices in order of the bytes; index[0]: a memarg's memory,
                                br_table's default label, or br_on_cast's label; index[1]: the
                                count of array.new_fixed */
    int64_t value;           /* i32.const, i64.const; the bits of f32.const, f64.const */
    uint64_t offset;         /* of a memarg */
    uint8_t align;           /* of a memarg: the exponent of 2, 0 to 63 */
    uint8_t lane;            /* of a MEMARG_LANE or LANE */
    uint8_t flags;           /* br_on_cast: 1 if "from" may be null, 2 if "to" may */
    uint32_t count;          /* of the vector: labels (with the default), catches, value types,
                                bytes of V128 and LANES */
    toll_wasm_span vector;   /* the elements, without their count */
    toll_wasm_type type[2];  /* block type, heap type; br_on_cast: from, to */
} toll_wasm_instruction;

/* A clause of try_table. */
typedef enum toll_wasm_catch_kind {
    TOLL_WASM_CATCH_TAG,     /* catch: tag, label */
    TOLL_WASM_CATCH_TAG_REF, /* catch_ref: tag, label */
    TOLL_WASM_CATCH_ALL,     /* catch_all: label */
    TOLL_WASM_CATCH_ALL_REF  /* catch_all_ref: label */
} toll_wasm_catch_kind;

typedef struct toll_wasm_catch {
    toll_wasm_catch_kind kind;
    uint32_t tag, label; /* the tag of the first two kinds; else 0 */
} toll_wasm_catch;

/* Decode the instruction at the cursor and move past it. False, with the cursor failed, if it is
 * truncated (TOLL_E_TRUNCATED), malformed (TOLL_E_SYNTAX), an unknown opcode, or of a proposal of
 * which only the name is known (TOLL_E_UNSUPPORTED). *out is then undefined. It also fails at the
 * end of the cursor: check toll_wasm_left() first. Linear in the bytes of the instruction;
 * allocates nothing. */
bool toll_wasm_next(toll_wasm_cursor *cursor, toll_wasm_instruction *out);

/* A cursor over the elements of an instruction's vector, for the functions below. */
toll_wasm_cursor toll_wasm_vector(const toll_wasm_cursor *code,
                                  const toll_wasm_instruction *instruction);

/* The next label of br_table (the default comes last), catch of try_table, type of select: false
 * after the last one. */
bool toll_wasm_next_label(toll_wasm_cursor *vector, uint32_t *label);
bool toll_wasm_next_catch(toll_wasm_cursor *vector, toll_wasm_catch *out);
bool toll_wasm_next_type(toll_wasm_cursor *vector, toll_wasm_type *type);

#endif
