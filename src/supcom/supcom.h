/* supcom.h - what the parts of the reader for logs of Supreme Commander, and of other programs that
 * run hosts/supcom/profiler.lua, share.
 *
 * Parsed lines (supcom_line.c), their stacks as a tree (supcom_tree.c), names of frames
 * (supcom_names.c), the profile (supcom_build.c) and the reader itself (supcom_read.c).
 *
 * A line is `info: prof: FRAME;FRAME;...;COUNT,TOTAL,MAIN,CO`, outermost frame first, with FRAME =
 * `SOURCE,LINEDEFINED,NAME,CURRENTLINE`. TOTAL is inclusive, in seconds. `info: prof-note:
 * COUNT,TEXT` is a note. A program that writes the lines itself may omit `info: `. */
#ifndef TOLL_SUPCOM_SUPCOM_H
#define TOLL_SUPCOM_SUPCOM_H

#include "base/fail.h"
#include "base/strtab.h"
#include "base/u64map.h"
#include "format/format_row.h"

/* What the game's function LOG puts before each line. */
#define SUPCOM_LOG_PREFIX "info: "
#define SUPCOM_PREFIX "prof: "
#define SUPCOM_NOTE "prof-note: "

/* --- lines -------------------------------------------------------------------------------------*/

/* Why a line of the profiler is not read; 0: it is. */
typedef enum toll_supcom_fault {
    SUPCOM_FINE,
    SUPCOM_JOINED_LINES,
    SUPCOM_NO_VALUES,
    SUPCOM_BAD_FLAGS,
    SUPCOM_BAD_CALLS,
    SUPCOM_BAD_TOTAL,
    SUPCOM_NO_STACK,
    SUPCOM_BAD_FRAME,
    SUPCOM_BAD_NOTE,
    SUPCOM_FAULTS,
} toll_supcom_fault;

/* The fault in words, for a message: "CALLS is not a whole number". */
const char *toll_supcom_fault_text(toll_supcom_fault fault);

/* Where a stack was seen. */
enum { SUPCOM_ON_MAIN = 1, SUPCOM_IN_COROUTINE = 2 };

/* The fields after the last ';'. */
typedef struct toll_supcom_values {
    int64_t calls, time_ns;
    uint8_t seen; /* SUPCOM_ON_MAIN, SUPCOM_IN_COROUTINE */
    bool rounded; /* time_ns is rounded from the line's value */
} toll_supcom_values;

toll_supcom_fault toll_supcom_values_of(const char *text, size_t size, toll_supcom_values *out);

/* Parse COUNT,TEXT, a note's text after its prefix. *at is where TEXT begins; it is not empty. */
bool toll_supcom_note_of(const char *text, size_t size, uint64_t *count, size_t *at);

/* The line number is not known: `?` or -1. Other negative line numbers occur near a tail call. */
#define SUPCOM_NO_LINE (-1)

/* A frame, parsed from its right end, since a source may contain any characters, also commas. */
typedef struct toll_supcom_frame {
    const char *source, *name;
    size_t source_size, name_size;
    size_t size_without_current; /* of the frame's text up to the comma before CURRENTLINE */
    int32_t defined, current;
} toll_supcom_frame;

bool toll_supcom_frame_of(const char *text, size_t size, toll_supcom_frame *out);

/* Parse a frame's text without CURRENTLINE in the same way. */
bool toll_supcom_function_of(const char *text, size_t size, toll_supcom_frame *out);

/* --- the tree ----------------------------------------------------------------------------------*/

/* A frame of the tree: a function, as an id in `functions`, or a line from which it calls. */
#define SUPCOM_IS_CALL UINT32_C(0x80000000)

typedef struct toll_supcom_node {
    uint32_t parent, frame;
    int64_t calls, total_ns;
    uint8_t seen;
    bool has_line; /* the log contains a line about exactly this stack */
} toll_supcom_node;

typedef struct toll_supcom_call {
    uint32_t function;
    int32_t line;
} toll_supcom_call;

/* The frames of an inner frame's text: the function, then the line from which it calls. */
typedef struct toll_supcom_step {
    uint32_t function;
    uint32_t call; /* TOLL_NONE: not known, or not wanted */
} toll_supcom_step;

/* Memory grows with the distinct stacks. Invariant: a parent's index is below its children's; node
 * 0 is the root, and has no frame. */
typedef struct toll_supcom_tree {
    toll_mem mem;
    toll_failure *failure; /* the reader's */
    bool call_lines;
    toll_strtab functions;   /* texts `SOURCE,LINEDEFINED,NAME` */
    toll_strtab texts;       /* whole texts of inner frames */
    toll_supcom_step *steps; /* by text: its frames */
    size_t step_count, step_capacity;
    toll_supcom_call *calls;
    size_t call_count, call_capacity;
    toll_u64map call_ids;  /* function, line -> call */
    toll_u64map children;  /* node, frame -> node */
    toll_u64map shortcuts; /* node, whole text -> node after both frames */
    toll_supcom_node *nodes;
    size_t node_count, node_capacity;
    uint64_t joined; /* lines with a ';' in a source */
} toll_supcom_tree;

bool toll_supcom_tree_init(toll_supcom_tree *tree, const toll_mem *mem, bool call_lines,
                           toll_failure *failure);
void toll_supcom_tree_free(toll_supcom_tree *tree);

/* Find or add the node of the stack text[size], which does not include the values. False without a
 * failure: the text is not a stack. Failures: TOLL_E_NOMEM, TOLL_E_LIMIT. */
bool toll_supcom_tree_enter(toll_supcom_tree *tree, const char *text, size_t size, uint32_t *node);

/* Add a line's values to its stack. False: a sum does not fit 64 bits, and nothing is added. */
bool toll_supcom_add_values(toll_supcom_node *node, const toll_supcom_values *values);

/* --- names -------------------------------------------------------------------------------------*/

/* Makes the names of frames, without the folders that all files of the game share. */
typedef struct toll_supcom_names {
    const toll_supcom_tree *tree;
    const char *install; /* the folders that are omitted */
    size_t install_size; /* 0: none */
    toll_buffer name, file;
} toll_supcom_names;

void toll_supcom_names_init(toll_supcom_names *names, const toll_supcom_tree *tree);
void toll_supcom_names_free(toll_supcom_names *names);

/* The profile's frame for a frame of the tree; valid until the next call. False: no memory. */
bool toll_supcom_frame_named(toll_supcom_names *names, uint32_t frame, toll_frame *out);

/* --- the profile -------------------------------------------------------------------------------*/

/* Turn the tree into a profile, with notes on what had to be changed. Errors: TOLL_E_NOMEM,
 * TOLL_E_LIMIT, TOLL_E_OVERFLOW. */
bool toll_supcom_build(toll_supcom_tree *tree, toll_profile *profile);

/* --- the format -------------------------------------------------------------------------------*/

toll_sniff toll_supcom_sniff(const uint8_t *data, size_t size);
toll_status toll_supcom_read(toll_read_job *job, toll_error *err);

#endif
