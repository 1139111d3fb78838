/* cursor.h - a bounded reader over the bytes of a WebAssembly module in memory.
 *
 * The first failure is kept with its offset, and everything read after it is 0, so
 * that a caller may read many fields and check once. Nothing is allocated; the bytes are borrowed.
 * Offsets are into the module, also where the cursor covers only a part of it. */
#ifndef TOLL_WASM_CURSOR_H
#define TOLL_WASM_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <toll/error.h>

#define TOLL_WASM_MESSAGE_SIZE 192

typedef struct toll_wasm_cursor {
    const uint8_t *data;                  /* the module's first byte */
    size_t at, end;                       /* next byte, and where reading stops: at <= end */
    const char *where;                    /* where this is, for messages: ", in the code section",
                                           * or "" */
    toll_status status;                   /* TOLL_OK, or the first failure */
    size_t failed_at;                     /* the offset of what is wrong, if status is a failure */
    char message[TOLL_WASM_MESSAGE_SIZE]; /* what is wrong and what to do */
    bool has_64_bits; /* limits were passed of a memory or table with addresses of 64 bits */
} toll_wasm_cursor;

/* Bytes of the module. */
typedef struct toll_wasm_bytes {
    const uint8_t *data;
    size_t size;
} toll_wasm_bytes;

/* A value type, heap type or block type. */
typedef struct toll_wasm_type {
    uint8_t code; /* TOLL_WASM_I32_TYPE, ...; a heap type of the specification; or one of: */
    uint8_t heap; /* of a TOLL_WASM_REF: the code of the heap type, TOLL_WASM_INDEX for an index */
    uint32_t index; /* if code or heap is TOLL_WASM_INDEX */
} toll_wasm_type;

enum {
    TOLL_WASM_INDEX = 0x00,    /* a type defined by the module: see index */
    TOLL_WASM_EMPTY = 0x40,    /* a block without parameters and results */
    TOLL_WASM_REF_NULL = 0x63, /* (ref null ht) */
    TOLL_WASM_REF = 0x64,      /* (ref ht) */
    TOLL_WASM_V128_TYPE = 0x7b,
    TOLL_WASM_F64_TYPE = 0x7c,
    TOLL_WASM_F32_TYPE = 0x7d,
    TOLL_WASM_I64_TYPE = 0x7e,
    TOLL_WASM_I32_TYPE = 0x7f
};

/* Cover data[start..end). */
void toll_wasm_cursor_init(toll_wasm_cursor *cursor, const uint8_t *data, size_t start, size_t end);

/* Fail at an offset, unless the cursor has failed already. */
void toll_wasm_cursor_fail(toll_wasm_cursor *cursor, toll_status status, size_t at,
                           const char *format, ...) TOLL_PRINTF(4, 5);

/* Fail at an offset because of something (a noun, such as "a shared type") that a proposal for
 * WebAssembly brings, which is not known here. */
void toll_wasm_cursor_lacks(toll_wasm_cursor *cursor, size_t at, const char *what,
                            const char *proposal);

/* Fail because memory ran out. */
void toll_wasm_cursor_no_memory(toll_wasm_cursor *cursor);

/* The first failure, or TOLL_OK. A failure sets *err (may be NULL) to "NAME: at byte NWHERE:
 * MESSAGE", or for TOLL_E_NOMEM to what toll_fail_nomem says. */
toll_status toll_wasm_cursor_check(const toll_wasm_cursor *cursor, const char *name,
                                   toll_error *err);

/* Bytes left; 0 after a failure. */
size_t toll_wasm_left(const toll_wasm_cursor *cursor);

uint8_t toll_wasm_take_u8(toll_wasm_cursor *cursor);

/* LEB128, within the specification's limits: at most ceil(N / 7) bytes, and the unused bits of the
 * last of these are 0, or the sign. Longer forms than necessary are valid. */
uint32_t toll_wasm_take_u32(toll_wasm_cursor *cursor);
uint64_t toll_wasm_take_u64(toll_wasm_cursor *cursor);
int32_t toll_wasm_take_s32(toll_wasm_cursor *cursor);
int64_t toll_wasm_take_s33(toll_wasm_cursor *cursor);
int64_t toll_wasm_take_s64(toll_wasm_cursor *cursor);

/* Little-endian numbers of 4 and 8 bytes: the bits of floats. */
uint32_t toll_wasm_take_4(toll_wasm_cursor *cursor);
uint64_t toll_wasm_take_8(toll_wasm_cursor *cursor);

/* `size` bytes, not copied; NULL if fewer remain. */
const uint8_t *toll_wasm_take_bytes(toll_wasm_cursor *cursor, size_t size);

/* The count of a vector whose elements have at least one byte each: fails if it is larger than the
 * number of bytes that remain. `what` names the elements, such as "labels". */
uint32_t toll_wasm_take_count(toll_wasm_cursor *cursor, const char *what);

/* A name: UTF-8, not terminated, borrowed from the module; NULL on failure. It may contain NULs. */
const char *toll_wasm_take_name(toll_wasm_cursor *cursor, size_t *size);

/* The same as bytes; none after a failure. */
toll_wasm_bytes toll_wasm_take_text(toll_wasm_cursor *cursor);

toll_wasm_type toll_wasm_take_value_type(toll_wasm_cursor *cursor);
toll_wasm_type toll_wasm_take_heap_type(toll_wasm_cursor *cursor);
toll_wasm_type toll_wasm_take_block_type(toll_wasm_cursor *cursor);

/* Skip the limits of a table or memory, and the types of a table or global. */
void toll_wasm_pass_limits(toll_wasm_cursor *cursor);
void toll_wasm_pass_table_type(toll_wasm_cursor *cursor);
void toll_wasm_pass_global_type(toll_wasm_cursor *cursor);

#endif
