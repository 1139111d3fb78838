/* solana_tree.h - holds one transaction's invocations, stretches and sections until it has ended,
 * and then adds them to the profile.
 *
 * It has to wait, since the last lines decide about the first items: whether an invocation fails,
 * what it consumed, whether there is a second consumption line, what was charged. Memory: the items
 * of one transaction, and the profile's distinct stacks. Invariant: a parent's index is below its
 * children's. */
#ifndef TOLL_SOLANA_SOLANA_TREE_H
#define TOLL_SOLANA_SOLANA_TREE_H

#include "solana/solana.h"

/* The columns of the profile. */
enum { COLUMN_CALLS, COLUMN_UNITS, COLUMN_HEAP };

typedef enum toll_solana_item_kind { ITEM_PROGRAM, ITEM_STRETCH, ITEM_SECTION } toll_item_kind;

typedef struct toll_solana_item {
    uint32_t parent; /* TOLL_NONE: outermost */
    uint32_t name;   /* in the tree's strings: the id of a program, the name of any other item */
    uint32_t instruction; /* of a program, as it logs it: a string, "" if it does not */
    uint32_t height;      /* of the stack: 1 for an outermost invocation */
    toll_node_id node;
    uint8_t kind;
    bool left_out; /* a stretch or section that is omitted; what is in a stretch moves to its parent
                    */
    bool is_void;  /* its figures contradict its caller's: counted with 0 units */
    bool drops_sections;
    toll_solana_spent spent; /* of stretches and sections: logged, total, self and nested */
    uint32_t payer;          /* the innermost invocation around it that has a line, or TOLL_NONE */
    int64_t claimed;         /* what other lines and prices say to be part of this line */
    bool is_included;        /* its price is part of the payer's line */
    int64_t sections;        /* units of the sections directly under it */
    int64_t heap;            /* net bytes of a section */
} toll_solana_item;

/* The notes that a log may need. */
typedef enum toll_solana_note {
    SOLANA_NOTE_NOISE,
    SOLANA_NOTE_STRAY,
    SOLANA_NOTE_TRUNCATED,
    SOLANA_NOTE_UNFINISHED,
    SOLANA_NOTE_NO_CALLER,
    SOLANA_NOTE_UNTOLD,
    SOLANA_NOTE_NESTED,
    SOLANA_NOTE_UNSUMMED,
    SOLANA_NOTE_PRICED,
    SOLANA_NOTE_UNPRICED,
    SOLANA_NOTE_STOPPED,
    SOLANA_NOTE_LESS,
    SOLANA_NOTE_VOID,
    SOLANA_NOTE_FAILED,
    SOLANA_NOTE_FAILED_OUTERMOST,
    SOLANA_NOTE_STRETCH,
    SOLANA_NOTE_SECTION_LINE,
    SOLANA_NOTE_SECTION_OPEN,
    SOLANA_NOTE_CROSSING,
    SOLANA_NOTE_DIFFERS,
    SOLANA_NOTE_SECTIONS_OUT,
    SOLANA_NOTE_SECTIONS_BESIDE,
    SOLANA_NOTE_UNFIT,
    SOLANA_NOTE_UNNAMED,
    SOLANA_NOTE_COUNT
} toll_solana_note;

/* A string has up to four frames: as a program (with its instruction: `ID INSTRUCTION`), as one
 * that failed, as a section, as a transaction. */
enum { FRAME_PROGRAM, FRAME_FAILED, FRAME_SECTION, FRAME_TRANSACTION, FRAME_USES };
typedef struct toll_solana_frames {
    toll_frame_id of[FRAME_USES];
} toll_solana_frames;

typedef struct toll_solana_tree {
    toll_mem mem;
    toll_failure *failure; /* of the reader */
    toll_solana_names *names;
    toll_profile *profile;
    toll_node_id root;
    bool by_transaction;
    uint64_t transactions; /* so far */
    uint32_t instructions; /* distinct names of them */
    toll_buffer text;      /* of the name that is made */
    toll_strtab strings;
    toll_solana_frames *frames; /* of each string */
    size_t frame_count, frame_capacity;
    toll_solana_item *items;
    size_t count, capacity;
    bool has_heap; /* the profile has a column for it */
    int64_t heap;  /* the price of each program's heap, in the transaction */
    bool is_cut;   /* the transaction's log is truncated */
    uint64_t notes[SOLANA_NOTE_COUNT];
} toll_solana_tree;

/* `names` and `failure` are borrowed. Free the tree after a failure, too. */
bool toll_solana_tree_init(toll_solana_tree *tree, const toll_mem *mem, toll_solana_names *names,
                           bool by_transaction, toll_failure *failure);
void toll_solana_tree_free(toll_solana_tree *tree);

/* The id of text[size]. */
bool toll_solana_tree_string(toll_solana_tree *tree, const char *text, size_t size, uint32_t *out);

/* The same for the name of an instruction; "" if there are too many, which is counted. */
bool toll_solana_tree_instruction(toll_solana_tree *tree, const char *text, size_t size,
                                  uint32_t *out);

/* A new item; its index in *out. */
bool toll_solana_tree_add(toll_solana_tree *tree, const toll_solana_item *item, uint32_t *out);

/* Add a note to the profile. */
bool toll_solana_tree_note(toll_solana_tree *tree, const char *text, uint64_t count);

/* A new profile with its columns. */
bool toll_solana_tree_profile(toll_solana_tree *tree, bool heap, toll_profile **out);

/* Split up what the transaction was charged among its items; returns the units that belong to no
 * invocation. */
int64_t toll_solana_tree_settle(toll_solana_tree *tree, const toll_solana_transaction *transaction);

/* The transaction has ended (solana_commit.c). Add its items to the profile, and forget them. */
bool toll_solana_tree_commit(toll_solana_tree *tree, const toll_solana_transaction *transaction);

/* Add all counts to the profile's notes. */
bool toll_solana_tree_notes(toll_solana_tree *tree);

#endif
