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
    uint32_t parent;      /* TOLL_NONE: outermost */
    uint32_t name;        /* string: the id of a program, or the name of another item */
    uint32_t instruction; /* string: the name that a program logs for its instruction, or "" */
    uint32_t height;      /* stack height: 1 for an outermost invocation */
    toll_node_id node;
    uint8_t kind;
    bool left_out; /* a stretch or section that is omitted; children of a stretch move to its
                    * parent */
    bool is_void;  /* its figures contradict its caller's: it counts with 0 units */
    bool drops_sections;
    toll_solana_spent spent; /* stretches and sections use `logged`, total, self and nested */
    uint32_t payer;          /* the innermost caller that has a line, or TOLL_NONE */
    int64_t claimed;         /* units in this line that other lines and prices explain */
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

/* A string has up to four frames: as a program (with its instruction: `ID INSTRUCTION`), as a
 * failed program, as a section, as a transaction. */
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
    uint32_t instructions; /* distinct names of instructions */
    toll_buffer text;      /* scratch for names */
    toll_strtab strings;
    toll_solana_frames *frames; /* by string */
    size_t frame_count, frame_capacity;
    toll_solana_item *items;
    size_t count, capacity;
    bool has_heap; /* the profile has a heap column */
    int64_t heap;  /* price of each program's heap in this transaction */
    bool is_cut;   /* the transaction's log is truncated */
    uint64_t notes[SOLANA_NOTE_COUNT];
} toll_solana_tree;

/* `names` and `failure` are borrowed. Free the tree also after a failure. */
bool toll_solana_tree_init(toll_solana_tree *tree, const toll_mem *mem, toll_solana_names *names,
                           bool by_transaction, toll_failure *failure);
void toll_solana_tree_free(toll_solana_tree *tree);

/* Get the id of text[size]. */
bool toll_solana_tree_string(toll_solana_tree *tree, const char *text, size_t size, uint32_t *out);

/* The same for the name of an instruction. If there are too many names, the id of "", and it is
 * counted. */
bool toll_solana_tree_instruction(toll_solana_tree *tree, const char *text, size_t size,
                                  uint32_t *out);

/* Add an item; *out is its index. */
bool toll_solana_tree_add(toll_solana_tree *tree, const toll_solana_item *item, uint32_t *out);

/* Add a note to the profile. */
bool toll_solana_tree_note(toll_solana_tree *tree, const char *text, uint64_t count);

/* Create a profile with the columns. */
bool toll_solana_tree_profile(toll_solana_tree *tree, bool heap, toll_profile **out);

/* Distribute the transaction's charge among its items; returns the units that belong to no
 * invocation. */
int64_t toll_solana_tree_charge(toll_solana_tree *tree, const toll_solana_transaction *transaction);

/* End the transaction: add its items to the profile, and remove them here (solana_commit.c). */
bool toll_solana_tree_commit(toll_solana_tree *tree, const toll_solana_transaction *transaction);

/* Add all counts to the profile's notes. */
bool toll_solana_tree_notes(toll_solana_tree *tree);

#endif
