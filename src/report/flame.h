/* flame.h - computes a flame graph as boxes: each stack is as wide as its total, under its caller.
 * flame_text.c draws the boxes with characters, flame_svg.c with pixels. */
#ifndef TOLL_REPORT_FLAME_H
#define TOLL_REPORT_FLAME_H

#include "profile/short_names.h"
#include "report/precision.h"
#include "report/stack_tree.h"

#include <toll/report.h>

typedef struct toll_flame_box {
    toll_node_id node;
    uint32_t depth;       /* 0: a thread */
    int64_t start, total; /* left edge and width, in the unit of the value */
} toll_flame_box;

/* Frames that are not shown: their number; and the total cost of the outermost ones, those whose
 * caller is shown or that have none. */
typedef struct toll_flame_left_out {
    uint64_t frames;
    int64_t total;
} toll_flame_left_out;

typedef struct toll_flame {
    toll_stack_tree tree;
    const toll_profile *profile;   /* what is shown of the given one */
    toll_profile *folded, *inside; /* copies without places, and without what is outside; or NULL */
    toll_value_type value;
    int64_t *totals;          /* by node */
    int64_t whole;            /* the sum of all totals of threads */
    toll_precision precision; /* of the column */
    toll_flame_box *boxes;
    size_t count, room;
    uint32_t rows; /* number of rows of boxes */
    toll_flame_left_out narrow, deep;
    toll_short_names names;
} toll_flame;

/* Sum up the column that options ask for: of them value, short_names and keep_outside are used.
 * Call toll_flame_free also on failure. Errors: TOLL_E_NOT_FOUND, TOLL_E_UNSUPPORTED (negative
 * values, which have no width), TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_flame_create(toll_flame *flame, const toll_profile *profile,
                              const toll_flame_options *options, toll_error *err);
void toll_flame_free(toll_flame *flame);

/* Compute the boxes, row by row from left to right: for stacks with a total of at least `least`,
 * which is above 0, in at most `rows` rows (0: all). Errors: TOLL_E_NOMEM. */
toll_status toll_flame_fill(toll_flame *flame, int64_t least, uint32_t rows, toll_error *err);

/* The position of a value on a line of `size` units for the whole, rounded down. */
uint32_t toll_flame_place(const toll_flame *flame, int64_t value, uint32_t size);

/* The smallest total that is one unit wide on such a line. */
int64_t toll_flame_unit(const toll_flame *flame, uint32_t size);

/* The name of a box; the short one, if that was wanted. */
const char *toll_flame_name(const toll_flame *flame, const toll_flame_box *box);
const char *toll_flame_label(const toll_flame *flame, const toll_flame_box *box);

/* The colour of a box, 0xrrggbb, light enough for black letters. Functions of one name have one
 * colour; the hue shows the kind. */
uint32_t toll_flame_color(const toll_flame *flame, const toll_flame_box *box);

#endif
