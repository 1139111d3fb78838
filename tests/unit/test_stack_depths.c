/* test_stack_depths.c - depths and bytes of stacks equal those that are added up one by one. */
#include "support.h"

#include "profile/stack_depths.h"

enum { NODES = 4000, SHALLOW = 1500, DEEPEST = NODES - SHALLOW };

typedef struct node {
    uint32_t depth;
    uint64_t bytes; /* of its stack */
    bool is_written;
} node;

/* One chain, whose frames take 1 to 7 bytes, and a second one that is less deep. */
static void count_nodes(toll_stack_depths *d, node *nodes)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        uint32_t depth = i < DEEPEST ? i : i - DEEPEST;
        bytes = depth ? bytes + 1 + i % 7 : 0;
        nodes[i] = (node){ depth, bytes, i % 3 == 0 };
        assert_true(toll_stack_depths_open(d, depth, bytes));
        if (nodes[i].is_written)
            toll_stack_depths_write(d, depth, bytes);
    }
}

static uint64_t folded(const node *nodes, uint32_t depth)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < NODES; i++)
        if (nodes[i].depth == depth || (nodes[i].depth < depth && nodes[i].is_written))
            bytes += nodes[i].bytes;
    return bytes;
}

static uint64_t deeper(const node *nodes, uint32_t depth)
{
    uint64_t count = 0;
    for (size_t i = 0; i < NODES; i++)
        count += nodes[i].is_written && nodes[i].depth > depth;
    return count;
}

static void test_stack_depths_are_sums(void **state)
{
    static const uint32_t depths[] = {
        0, 1, 2, 999, 1000, 1001, SHALLOW - 1, SHALLOW, DEEPEST - 1
    };
    static node nodes[NODES];
    toll_stack_depths d;
    toll_mem mem = toll_mem_from(NULL);
    (void)state;
    toll_stack_depths_begin(&d, &mem);
    assert_int_equal(toll_stack_depths_bytes(&d), 0);
    assert_int_equal(toll_stack_depths_deeper(&d, 0), 0);
    count_nodes(&d, nodes);
    uint64_t all = 0;
    for (size_t i = 0; i < NODES; i++)
        all += nodes[i].is_written ? nodes[i].bytes : 0;
    assert_int_equal(toll_stack_depths_bytes(&d), all);
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        assert_int_equal(toll_stack_depths_folded(&d, depths[i]), folded(nodes, depths[i]));
        assert_int_equal(toll_stack_depths_deeper(&d, depths[i]), deeper(nodes, depths[i]));
    }
    toll_stack_depths_free(&d);
}

/* The largest depth with so few bytes; never less than the least one; none if all bytes fit. */
static void test_stack_depths_choice(void **state)
{
    static node nodes[NODES];
    toll_stack_depths d;
    toll_mem mem = toll_mem_from(NULL);
    (void)state;
    toll_stack_depths_begin(&d, &mem);
    count_nodes(&d, nodes);
    uint64_t all = toll_stack_depths_bytes(&d);
    assert_int_equal(toll_stack_depths_choose(&d, all), UINT32_MAX);
    assert_int_equal(toll_stack_depths_choose(&d, 0), TOLL_LEAST_DEPTH);
    assert_int_equal(toll_stack_depths_choose(&d, folded(nodes, TOLL_LEAST_DEPTH - 1)),
                     TOLL_LEAST_DEPTH);
    for (uint64_t most = all / 20; most < all; most += all / 20) {
        uint32_t chosen = TOLL_LEAST_DEPTH;
        for (uint32_t depth = TOLL_LEAST_DEPTH; depth < DEEPEST - 1; depth++)
            if (folded(nodes, depth) <= most)
                chosen = depth;
        assert_int_equal(toll_stack_depths_choose(&d, most), chosen);
    }
    toll_stack_depths_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stack_depths_are_sums),
        cmocka_unit_test(test_stack_depths_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
