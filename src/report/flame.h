/* flame.h - a flame graph as boxes: each stack as wide as its total, under its caller. What it is
 * drawn with is another matter: flame_text.c has cells of a terminal, flame_svg.c pixels. */
#ifndef TOLL_REPORT_FLAME_H
#define TOLL_REPORT_FLAME_H

#include "profile/short_names.h"
#include "report/stack_tree.h"

typedef struct toll_flame_box {
    toll_node_id node;
    uint32_t depth;       /* 0: a thread */
    int64_t start, total; /* where it begins, how wide it is, in the unit of the value */
} toll_flame_box;

/* Frames that are not shown: how many, and what those of them that have a caller that is shown (or
 * none) cost in all. */
typedef struct toll_flame_left_out {
    uint64_t frames;
    int64_t total;
} toll_flame_left_out;

typedef struct toll_flame {
    toll_stack_tree tree;
    toll_profile *own; /* the copy without places that is shown, or NULL */
    toll_value_type value;
    int64_t *totals; /* by node */
    int64_t whole;   /* the sum of all totals of threads */
    toll_flame_box *boxes;
    size_t count, room;
    uint32_t rows; /* how many the boxes have */
    toll_flame_left_out narrow, deep;
    toll_short_names names;
} toll_flame;

/* Sum up the column of type `value` (NULL: the default one). toll_flame_free is due also on
 * failure. Errors: TOLL_E_NOT_FOUND, TOLL_E_UNSUPPORTED (negative values, which have no width),
 * TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_flame_create(toll_flame *flame, const toll_profile *profile, const char *value,
                              bool short_names, toll_error *err);
void toll_flame_free(toll_flame *flame);

/* Make the boxes anew, row by row from left to right: of stacks with a total of at least `least`,
 * which is above 0, in at most `rows` rows (0: all). Errors: TOLL_E_NOMEM. */
toll_status toll_flame_fill(toll_flame *flame, int64_t least, uint32_t rows, toll_error *err);

/* Where a value is on a line of `size` units that stands for the whole: rounded down. */
uint32_t toll_flame_place(const toll_flame *flame, int64_t value, uint32_t size);

/* The least total that is one unit wide on such a line. */
int64_t toll_flame_unit(const toll_flame *flame, uint32_t size);

/* What a box is called; and in short, where that was wanted. */
const char *toll_flame_name(const toll_flame *flame, const toll_flame_box *box);
const char *toll_flame_label(const toll_flame *flame, const toll_flame_box *box);

/* A colour for a box, 0xrrggbb, light enough for black letters: functions of one name have one; the
 * hue shows the kind. */
uint32_t toll_flame_color(const toll_flame *flame, const toll_flame_box *box);

#endif
