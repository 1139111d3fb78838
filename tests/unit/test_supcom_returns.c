/* test_supcom_returns.c - logs in which a single carriage return replaces a line end, so that two
 * lines look like one. */
#include "support.h"

#define PROF "info: prof: "
#define STACK PROF "@a.lua,1,f,5;1,0.25,t,f"

static toll_status read_log(const char *text, int strict, toll_profile **p, toll_error *error)
{
    toll_input *in;
    *p = NULL;
    assert_ok(toll_input_from_memory(NULL, text, strlen(text), "game.log", &in, err));
    toll_format_options o = { .size = sizeof o, .strict = strict };
    toll_status s = toll_profile_read(in, "supcom", &o, NULL, p, error);
    toll_input_free(in);
    return s;
}

/* What was read: stacks, and lines that were skipped. */
static void expect(const char *text, int64_t calls, uint64_t damaged)
{
    toll_profile *p;
    uint64_t count = 0, found = 0;
    assert_ok(read_log(text, 0, &p, err));
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++)
        if (strstr(toll_profile_note(p, i, &count), "no stack"))
            found = count;
    assert_int_equal(test_self(p, "main", "a.lua:1(f)", 0), calls);
    assert_int_equal(toll_profile_node_count(p), 2);
    assert_int_equal(found, damaged);
    toll_profile_free(p);
    if (damaged) {
        toll_error e;
        assert_int_equal(read_log(text, 1, &p, &e), TOLL_E_SYNTAX);
    }
}

static void test_supcom_lone_carriage_returns_are_damage(void **state)
{
    (void)state;
    expect(STACK "\r\n" STACK "\n", 2, 0);          /* a line's own end */
    expect(STACK "\n" STACK "\r" STACK "\n", 1, 1); /* two stacks in one line */
    expect(STACK "\n"
                 "info: x\r" STACK "\n",
           1, 1);                                 /* a stack in a line of the game's */
    expect(STACK "\n" STACK "\rinfo: x\n", 1, 1); /* and the other way round */
    expect(STACK "\n"
                 "info: a\rb\n",
           1, 0);                                       /* no line of the profiler's */
    expect(STACK "\n" STACK "\r" STACK "\r\r\n", 1, 1); /* at the end it does no harm */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_supcom_lone_carriage_returns_are_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
