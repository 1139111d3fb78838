/* pattern_tree.h - declares the tree that pattern_parse.c makes from a pattern's text. */
#ifndef TOLL_BASE_PATTERN_TREE_H
#define TOLL_BASE_PATTERN_TREE_H

#include "base/char_set.h"
#include "base/id_index.h"

#include <toll/error.h>

#define TOLL_PATTERN_NONE UINT32_MAX /* no node */
#define TOLL_PATTERN_MORE UINT32_MAX /* node.max: any number of times */

typedef enum toll_node_kind {
    TOLL_NODE_SET,   /* one character of a set */
    TOLL_NODE_EDGE,  /* a toll_pattern_edge */
    TOLL_NODE_GROUP, /* one of its branches */
    TOLL_NODE_BRANCH /* its parts, one after the other */
} toll_node_kind;

typedef enum toll_pattern_edge {
    TOLL_EDGE_BEGIN,  /* ^ */
    TOLL_EDGE_END,    /* $ */
    TOLL_EDGE_WORD,   /* \b */
    TOLL_EDGE_NO_WORD /* \B */
} toll_pattern_edge;

typedef struct toll_pattern_node {
    toll_node_kind kind;
    uint32_t value; /* index of the set; the edge; for other kinds the first child */
    uint32_t next;  /* sibling */
    uint32_t min, max;
} toll_pattern_node;

typedef struct toll_pattern_tree {
    toll_mem mem;
    toll_pattern_node *nodes; /* the root, a group, is the first one */
    size_t count, capacity;
    toll_char_set *sets; /* sorted, each once */
    size_t set_count, set_capacity, range_count;
    toll_id_index set_index;
} toll_pattern_tree;

/* The deepest nesting of groups, so that functions on trees may recurse. */
#define TOLL_PATTERN_DEPTH 100

/* Parse a pattern. The tree must be freed also after a failure. Errors: those of
 * toll_pattern_parse. */
toll_status toll_pattern_tree_parse(toll_pattern_tree *tree, const toll_mem *mem, const char *text,
                                    toll_error *err);
void toll_pattern_tree_free(toll_pattern_tree *tree);

#endif
