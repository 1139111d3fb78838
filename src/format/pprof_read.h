/* pprof_read.h - what the parts of the pprof reader share: the file's content under the file's own
 * ids, before names are known.
 *
 * Samples come before the locations, functions and strings that they name. So pprof_read.c reads
 * the file, and pprof_sample.c turns its samples into a tree over location ids, whose memory grows
 * with distinct stacks, not with samples. At the end pprof_resolve.c turns that tree into one over
 * frames, which pprof_names.c names. All use pprof_state.c. */
#ifndef TOLL_FORMAT_PPROF_READ_H
#define TOLL_FORMAT_PPROF_READ_H

#include "base/strtab.h"
#include "base/u64map.h"
#include "base/wire.h"
#include "format/format_row.h"
#include "profile/ctx_tree.h"

typedef struct pprof_numbers {
    uint64_t *items;
    size_t count, capacity;
} pprof_numbers;

/* Indexes of the string table. */
typedef struct pprof_type {
    uint64_t type, unit;
} pprof_type;

typedef struct pprof_location {
    uint64_t id, mapping, address;
    size_t first_line; /* in pprof_reader.lines, pairs of function id and line */
    uint32_t line_count;
    bool defined;     /* false: samples have named it, but it is not read yet */
    uint64_t used_at; /* offset in the file, for messages */
} pprof_location;

/* Texts are indexes of the string table, as in the file. Flags are 0 or 1; memory_limit is 0 in
 * files that Toll wrote. */
typedef struct pprof_mapping {
    uint64_t file, build_id, memory_limit;
    bool has_functions, has_filenames, has_lines;
} pprof_mapping;

/* Strings by index of the string table. */
typedef struct pprof_function {
    uint64_t id, name, system_name, filename, start_line;
    uint64_t part_of; /* id of the function of which this is the part in `file`; or 0 */
    uint64_t defined_at;
} pprof_function;

/* A frame of the last stack: its node, and where its number begins, counted in bytes from the end
 * of the list. */
typedef struct pprof_step {
    size_t end;
    toll_node *node;
} pprof_step;

/* The stack of the previous sample. */
typedef struct pprof_last_stack {
    toll_node *root; /* NULL: there is none */
    uint8_t *bytes;  /* its list of locations, in the last `size` of `capacity` bytes */
    size_t size, capacity;
    pprof_step *steps; /* outermost first */
    size_t count, step_capacity;
} pprof_last_stack;

enum { PPROF_MOST_LABEL_KEYS = 8 }; /* keys that a warning can name */

typedef struct pprof_reader {
    toll_input *in;
    toll_mem mem;
    toll_failure failure;
    const toll_format_options *options;
    uint64_t field_offset; /* of the current field */

    pprof_type types[TOLL_MAX_COLUMNS], period_type;
    size_t type_count;
    uint64_t period;

    toll_tree tree; /* stacks of location numbers; a root for each list of labels */
    bool tree_made;
    toll_strtab label_sets; /* lists of (key, str) as bytes -> number */
    toll_node **roots;      /* by number of the label set; NULL: not used */
    size_t root_count, root_capacity;
    pprof_numbers stack, values, labels; /* of the current sample */
    pprof_last_stack last;
    uint64_t label_keys[PPROF_MOST_LABEL_KEYS]; /* of labels that are omitted */
    size_t label_key_count;
    bool labels_left_out;
    uint64_t numbered_samples; /* samples with labels that are not texts */

    toll_u64map location_index, function_index, mapping_index; /* id -> number */
    pprof_location *locations;
    size_t location_count, location_capacity;
    pprof_numbers lines;
    pprof_function *functions;
    size_t function_count, function_capacity;
    pprof_mapping *mappings;
    size_t mapping_count, mapping_capacity;

    toll_strtab text;
    uint32_t *strings; /* index of the string table -> id in `text` */
    size_t string_count, string_capacity;
    pprof_numbers comments;
    int64_t time_ns, duration_ns;
    uint64_t default_type;
} pprof_reader;

/* Fail: the current field is malformed. Always false. */
bool toll_pprof_bad(pprof_reader *reader, const char *what);

/* Append a number; append the repeated numbers of a field, packed or one by one. */
bool toll_pprof_push(pprof_reader *reader, pprof_numbers *list, uint64_t value);
bool toll_pprof_take_numbers(pprof_reader *reader, toll_wire_field *field, pprof_numbers *list);

/* The number of the location with that id, which is added if it is new. */
bool toll_pprof_location(pprof_reader *reader, uint64_t id, uint32_t *number);

/* Remember the key of an omitted label, for the warning. */
void toll_pprof_leave_out_label(pprof_reader *reader, uint64_t key);

/* Get string `index` of the table. False: the table has no such string. */
bool toll_pprof_text(pprof_reader *reader, uint64_t index, const char **text);

/* Get the node under `root` for a packed list of locations, leaf first. NULL: failed. */
toll_node *toll_pprof_stack(pprof_reader *reader, toll_node *root, toll_wire list);
void toll_pprof_free_stack(pprof_reader *reader);

/* Read one sample of the file. */
bool toll_pprof_read_sample(pprof_reader *reader, toll_wire sample);

/* Make a new profile from everything that was read. */
bool toll_pprof_resolve(pprof_reader *reader, toll_profile **out);

#endif
