/* page_blocks.h - the blocks of a page: its strings, frames, callees, tree and values. docs/page.md
 * describes their form. For the page's files alone. */
#ifndef TOLL_PAGE_PAGE_BLOCKS_H
#define TOLL_PAGE_PAGE_BLOCKS_H

#include "page/page_block.h"
#include "page/page_callees.h"
#include "page/page_source.h"
#include "page/page_timeline.h"
#include "report/stack_tree.h"

typedef enum toll_page_block_kind {
    TOLL_BLOCK_STRINGS,
    TOLL_BLOCK_FRAMES,
    TOLL_BLOCK_CALLEES,
    TOLL_BLOCK_UP,
    TOLL_BLOCK_CALLEE,
    TOLL_BLOCK_SOURCE,
    TOLL_BLOCK_VALUE,
    TOLL_BLOCK_BEFORE,
    TOLL_BLOCK_BETWEEN,
    TOLL_BLOCK_TIMELINE /* and the columns of a timeline: TOLL_BLOCK_TIMELINE + TOLL_PAGE_EVENTS,
                         * ... */
} toll_page_block_kind;

/* Describes a block; `items` and `bytes` are set when it is counted. */
typedef struct toll_block_info {
    toll_page_block_kind kind;
    uint32_t column; /* for VALUE, BEFORE and BETWEEN the column; for TIMELINE the span */
    uint32_t side;   /* for VALUE, BEFORE and BETWEEN */
    uint64_t items;  /* strings, frames, callees, nodes, files, events */
    uint64_t bytes;  /* before compression */
} toll_block_info;

enum { TOLL_BLOCK_NAME_SIZE = 32 };

/* The input of the blocks, besides the tree. */
enum {
    TOLL_FRAME_TEXTS = 5
}; /* name, file, module; the place's file and the short name, if they differ */

typedef struct toll_page_tables {
    const toll_stack_tree *tree;
    const toll_page_timeline *timeline;
    toll_output *strings; /* a JSON array of all texts of the frames */
    uint32_t string_count;
    uint32_t *texts[TOLL_FRAME_TEXTS]; /* by frame in canonical order, as ids of strings */
    int64_t *values;                   /* room for a column */
    toll_page_callees callees;
    toll_page_source source;
} toll_page_tables;

/* Call toll_page_tables_free also on failure. Errors: TOLL_E_NOMEM, those of options->source. */
toll_status toll_page_tables_create(toll_page_tables *tables, const toll_stack_tree *tree,
                                    const toll_page_timeline *timeline,
                                    const toll_page_options *options, toll_error *err);
void toll_page_tables_free(toll_page_tables *tables);

/* The largest possible number of blocks in a page. */
size_t toll_page_most_blocks(const toll_page_tables *tables);

/* List the blocks of a page in their order; returns their number. */
uint32_t toll_page_list_blocks(const toll_page_tables *tables, toll_block_info *blocks);

/* "strings", "value-0", ... */
const char *toll_page_block_name(const toll_block_info *info, char name[TOLL_BLOCK_NAME_SIZE]);

/* Write a block as base64 of gzip. `out` NULL: only count it. Errors: TOLL_E_NOMEM,
 * TOLL_E_UNSUPPORTED, those of reading events. */
toll_status toll_page_write_block(toll_page_tables *tables, toll_block_info *info, toll_output *out,
                                  toll_error *err);

#endif
