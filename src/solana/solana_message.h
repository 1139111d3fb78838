/* solana_message.h - the instructions of one transaction: those of its message and those that
 * programs invoked ("inner"), in the order in which they ran, with the beginning of their data.
 * They are matched with the invocations of its log.
 *
 * Owns: its texts and lists. They come from the JSON of an RPC node (solana_json.c), or from the
 * bytes of the transaction (solana_wire.c). */
#ifndef TOLL_SOLANA_SOLANA_MESSAGE_H
#define TOLL_SOLANA_SOLANA_MESSAGE_H

#include "base/buffer.h"

enum { SOLANA_DATA_HEAD = 16 }; /* bytes of an instruction's data that are kept */

typedef struct toll_solana_instruction {
    uint32_t outer;  /* the place in the message of this one, or of the one that led to it */
    uint32_t height; /* of the stack: 1 in the message, above it inside; 0: not known */
    uint32_t key;    /* the program: its place among the keys, or UINT32_MAX: */
    uint32_t id;     /* this text */
    uint32_t type;   /* the text that the node has for it, or 0 */
    uint8_t data[SOLANA_DATA_HEAD];
    uint8_t data_size;
} toll_solana_instruction;

typedef struct toll_solana_instructions {
    toll_solana_instruction *list;
    size_t count, capacity;
} toll_solana_instructions;

/* Places of texts among the message's texts. */
typedef struct toll_solana_keys {
    uint32_t *list;
    size_t count, capacity;
} toll_solana_keys;

typedef struct toll_solana_message {
    toll_mem mem;
    toll_buffer texts;                     /* each with a NUL; the first is "" */
    uint32_t heap;                         /* bytes, if the transaction's header says so; or 0 */
    uint32_t name;                         /* of the transaction: a text, or 0 */
    toll_solana_instructions outer, inner; /* inner: by outer, as the node has them */
    toll_solana_keys keys;                 /* of the message; then come */
    toll_solana_keys writable, readonly;   /* those of lookup tables */
    /* Where the log is that is matched. */
    size_t next_outer, next_inner, inner_end;
    unsigned misses; /* invocations of the log that are no instruction of the message */
} toll_solana_message;

void toll_solana_message_init(toll_solana_message *message, const toll_mem *mem);
void toll_solana_message_free(toll_solana_message *message);

/* Forget all; keeps the memory. */
void toll_solana_message_clear(toll_solana_message *message);

/* Keep text[size]; false: no memory. */
bool toll_solana_message_text(toll_solana_message *message, const char *text, size_t size,
                              uint32_t *place);
bool toll_solana_message_key(toll_solana_message *message, toll_solana_keys *keys, const char *text,
                             size_t size);
bool toll_solana_message_add(toll_solana_message *message, toll_solana_instructions *list,
                             const toll_solana_instruction *instruction);

/* The text at a place. */
static inline const char *toll_solana_message_at(const toll_solana_message *message, uint32_t place)
{
    return place ? (const char *)message->texts.data + place : "";
}

/* Read the transaction's bytes: its signature becomes the name unless it has one. False: no memory;
 * bytes that are no transaction add no instruction. */
bool toll_solana_message_read(toll_solana_message *message, const uint8_t *data, size_t size);

/* The bytes of heap that the transaction asks for, by its header or by an instruction; or 0. */
uint32_t toll_solana_message_heap(const toll_solana_message *message);

/* The instruction of the log's next invocation, which is of the program id[size] and at `height`;
 * NULL: there is none in the message. */
const toll_solana_instruction *
toll_solana_message_next(toll_solana_message *message, int64_t height, const char *id, size_t size);

/* The next instruction in the order in which they ran, of those behind the last that was matched,
 * with its program in *id. `failed`: the place of the instruction of the message that failed; those
 * after it never ran. Where that is not known (any negative number), they may not have run. NULL:
 * there is none, or the log is not of this message. */
const toll_solana_instruction *toll_solana_message_rest(toll_solana_message *message,
                                                        int64_t failed, const char **id);

#endif
