/* solana_message.h - holds the instructions of one transaction, in the order in which they ran.
 * They are those of its message and those that programs invoked ("inner"), each with the beginning
 * of its data. They are matched with the invocations of its log.
 *
 * Owns: its texts and lists. They come from the JSON of an RPC node (solana_json.c), or from the
 * bytes of the transaction (solana_wire.c). */
#ifndef TOLL_SOLANA_SOLANA_MESSAGE_H
#define TOLL_SOLANA_SOLANA_MESSAGE_H

#include "base/buffer.h"

enum { SOLANA_DATA_HEAD = 16 }; /* bytes of an instruction's data that are kept */

typedef struct toll_solana_instruction {
    uint32_t outer;  /* index in the message of this instruction, or of the one that led to it */
    uint32_t height; /* stack height: 1 in the message, higher for inner ones; 0: not known */
    uint32_t key;    /* the program: its index in the keys, or UINT32_MAX: */
    uint32_t id;     /* then this text is the program's address */
    uint32_t type;   /* text: the node's name for the instruction, or 0 */
    uint8_t data[SOLANA_DATA_HEAD];
    uint8_t data_size;
} toll_solana_instruction;

typedef struct toll_solana_instructions {
    toll_solana_instruction *list;
    size_t count, capacity;
} toll_solana_instructions;

/* Offsets in the message's texts. */
typedef struct toll_solana_keys {
    uint32_t *list;
    size_t count, capacity;
} toll_solana_keys;

typedef struct toll_solana_message {
    toll_mem mem;
    toll_buffer texts;                     /* each with a NUL; the first is "" */
    uint32_t heap;                         /* bytes, if the transaction's header gives a size; or
                                            * 0 */
    uint32_t name;                         /* text: the transaction's name, or 0 */
    toll_solana_instructions outer, inner; /* inner: by outer, in the order of the node's answer */
    toll_solana_keys keys;                 /* keys of the message; after them come */
    toll_solana_keys writable, readonly;   /* those of lookup tables */
    /* The state of matching with the log. */
    size_t next_outer, next_inner, inner_end;
    unsigned misses; /* invocations of the log that match no instruction of the message */
} toll_solana_message;

void toll_solana_message_init(toll_solana_message *message, const toll_mem *mem);
void toll_solana_message_free(toll_solana_message *message);

/* Empty the message; keeps its memory. */
void toll_solana_message_clear(toll_solana_message *message);

/* Store text[size]. False: no memory. */
bool toll_solana_message_text(toll_solana_message *message, const char *text, size_t size,
                              uint32_t *place);
bool toll_solana_message_key(toll_solana_message *message, toll_solana_keys *keys, const char *text,
                             size_t size);
bool toll_solana_message_add(toll_solana_message *message, toll_solana_instructions *list,
                             const toll_solana_instruction *instruction);

/* The text at an offset. */
static inline const char *toll_solana_message_at(const toll_solana_message *message, uint32_t place)
{
    return place ? (const char *)message->texts.data + place : "";
}

/* Parse the transaction's bytes. Its signature becomes the name unless it has one. False: no
 * memory. Bytes that are not a transaction add no instruction. */
bool toll_solana_message_read(toll_solana_message *message, const uint8_t *data, size_t size);

/* The bytes of heap that the transaction requests, by its header or by an instruction; or 0. */
uint32_t toll_solana_message_heap(const toll_solana_message *message);

/* Match the log's next invocation, of program id[size] at `height`, with an instruction. NULL: the
 * message has none for it. */
const toll_solana_instruction *
toll_solana_message_next(toll_solana_message *message, int64_t height, const char *id, size_t size);

/* The next instruction, in the order in which they ran, after the last one that was matched, with
 * its program in *id. `failed`: the index in the message of the instruction that failed; those
 * after it never ran. If that is not known (any negative number), they may not have run. NULL: no
 * more, or the log does not belong to this message. */
const toll_solana_instruction *toll_solana_message_rest(toll_solana_message *message,
                                                        int64_t failed, const char **id);

#endif
