/* test_supcom.c - logs of games with the lines of hosts/supcom/profiler.lua. Values are column 0
 * (calls) and column 1 (nanoseconds). */
#include "support.h"

#include "base/buffer.h"
#include "supcom/supcom.h"

#define PROF "info: prof: "
#define HOME "@C:\\Games\\Forged Alliance\\LOUD\\gamedata\\lua\\"

static toll_status read_with(const toll_allocator *a, const char *text,
                             const toll_format_options *options, toll_profile **p, toll_error *err)
{
    toll_input *in;
    *p = NULL;
    toll_status s = toll_input_from_memory(a, text, strlen(text), "game.log", &in, err);
    if (s)
        return s;
    s = toll_profile_read(in, NULL, options, NULL, p, err);
    toll_input_free(in);
    return s;
}

/* Read by content; sound. */
static toll_profile *read_log(const char *text)
{
    toll_profile *p;
    assert_ok(read_with(NULL, text, NULL, &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

static void test_self_is_total_without_children(void **state)
{
    (void)state;
    toll_profile *p = read_log(PROF HOME "a.lua,1,f,5;" HOME "b.lua,2,g,9;1,0.25,t,f\n" PROF HOME
                                         "a.lua,1,f,5;=[C],-1,print,-1;7,1e-05,t,f\n" PROF HOME
                                         "a.lua,1,f,6;2,1.5,t,f\n");
    assert_int_equal(test_self(p, "main", "/LOUD/gamedata/lua/a.lua:1(f)", 1), 1249990000);
    assert_int_equal(test_self(p, "main",
                               "/LOUD/gamedata/lua/a.lua:1(f);/LOUD/gamedata/lua/a.lua:1(f)->5;"
                               "/LOUD/gamedata/lua/b.lua:2(g)",
                               1),
                     250000000);
    assert_int_equal(
        test_self(p, "main", "/LOUD/gamedata/lua/a.lua:1(f);/LOUD/gamedata/lua/a.lua:1(f)->5;print",
                  0),
        7);
    assert_int_equal(test_sum(p, 1), 1500000000); /* the outermost totals */
    assert_string_equal(toll_profile_column(p, toll_profile_default_column(p)).unit, "nanoseconds");
    assert_int_equal(toll_profile_note_count(p), 0);
    toll_profile_free(p);
}

static void test_lines_of_one_stack_add_up(void **state)
{
    (void)state;
    toll_profile *p = read_log(PROF "@a,1,f,5;1,0.25,t,f\n" PROF "@a,1,f,6;2,0.5,t,f\r\n" PROF
                                    "@a,1,f,?;4,1,t,f \n");
    assert_int_equal(test_self(p, "main", "a:1(f)", 0), 7);
    assert_int_equal(test_self(p, "main", "a:1(f)", 1), 1750000000);
    toll_profile_free(p);
}

static void test_threads_by_the_outermost_function(void **state)
{
    (void)state;
    toll_profile *p = read_log(PROF "@a,1,m,5;1,1,t,f\n" PROF "@a,2,c,5;1,1,f,t\n" PROF
                                    "@a,3,b,5;1,1,t,t\n" PROF "@a,1,m,7;@a,2,c,5;1,1,f,t\n");
    assert_int_equal(test_self(p, "main", "a:1(m);a:1(m)->7;a:2(c)", 0), 1);
    assert_int_equal(test_self(p, "coroutines", "a:2(c)", 0), 1);
    assert_int_equal(test_self(p, "main and coroutines", "a:3(b)", 0), 1);
    toll_profile_free(p);
}

static void test_jitter_is_clamped_and_counted(void **state)
{
    (void)state;
    toll_profile *p = read_log(PROF "@a,1,f,5;1,0.25,t,f\n" PROF "@a,1,f,6;@a,2,g,5;1,0.75,t,f\n");
    assert_int_equal(test_self(p, "main", "a:1(f)", 1), 0);
    assert_int_equal(test_note(p, "self times below 0"), 1);
    assert_int_equal(test_note(p, "nanoseconds that self times"), 500000000);
    toll_profile_free(p);
}

static void test_stack_without_a_line(void **state)
{
    (void)state;
    toll_profile *p =
        read_log(PROF "@a,1,f,5;1,1,t,f\n" PROF "@a,1,f,6;@a,2,g,5;@a,3,h,2;1,0.75,t,f\n");
    assert_int_equal(test_self(p, "main", "a:1(f)", 1), 250000000);
    assert_int_equal(test_self(p, "main", "a:1(f);a:1(f)->6;a:2(g)", 1), 0);
    assert_int_equal(test_note(p, "stacks without a line"), 1);
    toll_profile_free(p);
}

static void test_names(void **state)
{
    (void)state;
    toll_profile *p = read_log(
        PROF "@D:/x/LOUD/gamedata/a.lua,1,?,1;1,1,t,f\n" PROF "@D:/x/mods/m.lua,2,,1;1,1,t,f\n" PROF
             "@D:/y/m.lua,3,a,b,1;1,1,t,f\n" PROF "=[C],-1,?,-1;1,1,t,f\n" PROF
             "=(tail call),-1,?,-1;1,1,t,f\n" PROF "?,-1,?,-1;1,1,t,f\n" PROF
             "x = f(1, 2); return { 1; 2, 0123456789012345678901234567890,0,?,1;1,1,t,f\n");
    assert_int_equal(test_self(p, "main", "/LOUD/gamedata/a.lua:1", 0), 1);
    assert_int_equal(test_self(p, "main", "/mods/m.lua:2", 0), 1);
    assert_int_equal(test_self(p, "main", "D:/y/m.lua:3(a,b)", 0), 1);
    assert_int_equal(test_self(p, "main", "[C]", 0), 1);
    assert_int_equal(test_self(p, "main", "(tail call)", 0), 1);
    assert_int_equal(test_self(p, "main", "?", 0), 1);
    assert_int_equal(test_note(p, "lines with a ; in a source"), 1);
    toll_frame native = { .name = "[C]", .kind = TOLL_KIND_NATIVE };
    assert_int_not_equal(toll_profile_find_frame(p, &native), TOLL_NONE);
    toll_frame text = { .name =
                            "[string \"x = f(1, 2); return { 1; 2, 01234567890123456789...\"]:0" };
    assert_int_not_equal(toll_profile_find_frame(p, &text), TOLL_NONE);
    toll_profile_free(p);
}

/* The text of a chunk is cut before a character that does not fit whole. */
static void test_a_long_text_is_cut_between_characters(void **state)
{
    static const char text[] = "return \"0123456789012345678901234567890123456"; /* 45 bytes */
    static const char *const fill[] = { "", "7", "78", "789" };
    static const char *const kept[] = { "\xe2\x82\xac", "7", "78", "789" };
    char line[300], name[200];
    (void)state;
    for (size_t i = 0; i < sizeof fill / sizeof *fill; i++) {
        snprintf(line, sizeof line,
                 PROF "%s%s\xe2\x82\xac\",0,?,1;1,1,t,f\n" PROF "@a,1,f,5;1,1,t,f\n", text,
                 fill[i]);
        snprintf(name, sizeof name, "[string \"%s%s...\"]:0", text, kept[i]);
        toll_profile *p = read_log(line);
        toll_frame frame = { .name = name };
        if (toll_profile_find_frame(p, &frame) == TOLL_NONE)
            fail_msg("no frame '%s'", name);
        toll_profile_free(p);
    }
}

static void test_install_folders_that_all_share(void **state)
{
    (void)state;
    toll_profile *p = read_log(PROF "@C:/games/one/LOUD/gamedata/a.lua,1,f,1;1,1,t,f\n" PROF
                                    "@C:/games/other/LOUD/GameData/a.lua,1,f,1;1,1,t,f\n");
    assert_int_equal(test_self(p, "main", "/one/LOUD/gamedata/a.lua:1(f)", 0), 1);
    assert_int_equal(test_self(p, "main", "/other/LOUD/GameData/a.lua:1(f)", 0), 1);
    toll_profile_free(p);
}

/* Only a folder of that very name is the game's; its name may be written in any case. */
static void test_folders_that_are_like_gamedata(void **state)
{
    static const struct {
        const char *source, *name;
    } cases[] = {
        { "C:/games/LOUD/gamedata/a.lua", "/LOUD/gamedata/a.lua" },
        { "C:/games/LOUD/GAMEdata/a.lua", "/LOUD/GAMEdata/a.lua" },
        { "C:/games/LOUD/gamedata/gamedata/a.lua", "/LOUD/gamedata/gamedata/a.lua" },
        { "C:/games/LOUD/gamedatas/a.lua", "C:/games/LOUD/gamedatas/a.lua" },
        { "C:/games/LOUD/gamedat/a.lua", "C:/games/LOUD/gamedat/a.lua" },
        { "C:/games/LOUD/hamedata/a.lua", "C:/games/LOUD/hamedata/a.lua" },
        { "C:/games/LOUD/gamedatb/a.lua", "C:/games/LOUD/gamedatb/a.lua" },
        { "C:/games/LOUD/agamedata/a.lua", "C:/games/LOUD/agamedata/a.lua" },
        { "C:/games/LOUD/gamedata", "C:/games/LOUD/gamedata" },
        { "gamedata/a.lua", "gamedata/a.lua" },
        { "LOUD/gamedata/a.lua", "LOUD/gamedata/a.lua" },
        { "/LOUD/gamedata/a.lua", "/LOUD/gamedata/a.lua" },
    };
    char log[200], stack[100];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(log, sizeof log, PROF "@%s,1,f,1;3,1,t,f\n", cases[i].source);
        snprintf(stack, sizeof stack, "%s:1(f)", cases[i].name);
        toll_profile *p = read_log(log);
        if (test_self(p, "main", stack, 0) != 3)
            fail_msg("%s is not called %s", cases[i].source, stack);
        toll_profile_free(p);
    }
}

/* The folder itself may be what a source is called. */
static void test_a_source_that_is_the_folder(void **state)
{
    (void)state;
    toll_profile *p = read_log(PROF "@C:/games/LOUD/gamedata/,1,f,1;1,1,t,f\n");
    assert_int_equal(test_self(p, "main", "/LOUD/gamedata/:1(f)", 0), 1);
    toll_profile_free(p);
}

static void test_an_install_folder_within_another(void **state)
{
    static const char inner[] = PROF "@C:/games/sc/LOUD/gamedata/a.lua,1,f,1;1,1,t,f\n";
    static const char outer[] = PROF "@C:/games/LOUD/gamedata/a.lua,1,f,1;1,1,t,f\n";
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        char log[256];
        snprintf(log, sizeof log, "%s%s", turn ? inner : outer, turn ? outer : inner);
        toll_profile *p = read_log(log);
        assert_int_equal(test_self(p, "main", "/sc/LOUD/gamedata/a.lua:1(f)", 0), 1);
        assert_int_equal(test_self(p, "main", "/LOUD/gamedata/a.lua:1(f)", 0), 1);
        toll_profile_free(p);
    }
}

static void keep_warning(void *user, const char *text)
{
    char *all = user;
    strncat(all, text, 2000 - strlen(all));
    strncat(all, "\n", 2000 - strlen(all));
}

static void test_damaged_lines_are_quoted_counted_refused(void **state)
{
    (void)state;
    static const char text[] =
        "info: hello\n" PROF "@a,1,f,5;1,1,t,f\n" PROF "x = 1\n" PROF "@a,1,f;1,1,t,f\n" PROF
        "@a,1,f,5;1,nan,t,f\n" PROF "@a,1,f,5;-1,1,t,f\n" PROF "@a,1,f,5;1,1,t";
    char warnings[2048] = "";
    toll_error e;
    toll_format_options options = { .size = sizeof options,
                                    .warn = keep_warning,
                                    .warn_user = warnings };
    toll_profile *p;
    assert_ok(read_with(NULL, text, &options, &p, err));
    assert_int_equal(test_sum(p, 0), 1);
    assert_int_equal(test_note(p, "lines of the profiler that are no stack"), 4);
    assert_int_equal(test_note(p, "torn last lines"), 1);
    assert_int_equal(test_note(p, "other lines"), 1);
    assert_string_equal(warnings,
                        "game.log:3: no stack, left out, since it does not end in "
                        ";CALLS,TOTAL,MAIN,CO: 'info: prof: x = 1'\n"
                        "game.log:4: no stack, left out, since a FRAME is not "
                        "SOURCE,LINEDEFINED,NAME,CURRENTLINE: 'info: prof: @a,1,f;1,1,t,f'\n"
                        "game.log:5: no stack, left out, since TOTAL is not a number of seconds: "
                        "'info: prof: @a,1,f,5;1,nan,t,f'\n"
                        "game.log: left out in all, since it does not end in "
                        ";CALLS,TOTAL,MAIN,CO: 1\n"
                        "game.log: left out in all, since CALLS is not a whole number: 1\n"
                        "game.log: left out in all, since TOTAL is not a number of seconds: 1\n"
                        "game.log: left out in all, since a FRAME is not "
                        "SOURCE,LINEDEFINED,NAME,CURRENTLINE: 1\n"
                        "game.log:7: the last line is torn, left out\n");
    toll_profile_free(p);
    options.strict = 1;
    assert_int_equal(read_with(NULL, text, &options, &p, &e), TOLL_E_SYNTAX);
    assert_string_equal(e.text,
                        "game.log:3: no stack, since it does not end in ;CALLS,TOTAL,MAIN,CO: "
                        "'info: prof: x = 1'; without --strict it is left out");
}

/* A program that is no game writes the lines without the prefix of the game's log. */
/* Each is one line, which is refused. */
static void test_why_a_line_is_no_stack(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        { "1,1,t,f", "it does not end in ;CALLS" },
        { ";1,1,t,f", "it has no FRAME" },
        { "f;1,1,t,f", "a FRAME is not SOURCE" },
        { "@a,1,f;1,1,t,f", "a FRAME is not SOURCE" },
        { "@a,1,f,5;;1,1,t,f", "a FRAME is not SOURCE" },
        { "@a,1,f,5;1,1,t,x", "MAIN and CO" },
    };
    toll_format_options options = { .size = sizeof options, .strict = 1 };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[200];
        toll_profile *p;
        toll_error e;
        snprintf(text, sizeof text, PROF "@a,1,f,5;1,1,t,f\n" PROF "%s\n", lines[i][0]);
        assert_int_equal(read_with(NULL, text, &options, &p, &e), TOLL_E_SYNTAX);
        if (!strstr(e.text, lines[i][1]))
            fail_msg("%s: %s", lines[i][0], e.text);
    }
}

static void test_lines_without_the_games_prefix(void **state)
{
    (void)state;
    toll_profile *p = read_log("hello\nprof: @a,1,f,5;1,0.25,t,f\ninfo: prof: @a,1,f,5;1,1,t,f\r\n"
                               "prof-note: 3,ticks measured\nprof-note: 2,ticks measured \n"
                               "info: prof-note: 0,nothing\nprof-note: 7,a\tb\nprof-note: x\n"
                               "prof: 1,1,t,f\nprof: ;1,1,t,f");
    assert_int_equal(test_self(p, "main", "a:1(f)", 0), 2);
    assert_int_equal(test_sum(p, 1), 1250000000);
    assert_int_equal(test_note(p, "ticks measured"), 5);
    assert_int_equal(test_note(p, "a\tb"), 7);
    assert_int_equal(test_note(p, "other lines of the log"), 1);
    assert_int_equal(test_note(p, "lines of the profiler that are no stack"), 2);
    assert_int_equal(test_note(p, "torn last lines"), 1);
    toll_profile_free(p);
}

static void test_the_fields_behind_a_stack(void **state)
{
    static const struct {
        const char *text;
        toll_supcom_fault fault;
    } wrong[] = {
        { "", SUPCOM_NO_VALUES },          { "1", SUPCOM_NO_VALUES },
        { "123456789", SUPCOM_NO_VALUES }, { "1,t", SUPCOM_NO_VALUES },
        { "1,t,f", SUPCOM_NO_VALUES },     { "12345,f", SUPCOM_NO_VALUES },
        { "123,,t,f", SUPCOM_BAD_TOTAL },  { "1,2,t", SUPCOM_NO_VALUES },
        { "1,2,t,x", SUPCOM_BAD_FLAGS },   { "1,2,x,f", SUPCOM_BAD_FLAGS },
        { "1,2,t;f", SUPCOM_BAD_FLAGS },   { "1,2;t,f", SUPCOM_BAD_FLAGS },
        { "1.5,2,t,f", SUPCOM_BAD_CALLS }, { "x,2,t,f", SUPCOM_BAD_CALLS },
        { "1,x,t,f", SUPCOM_BAD_TOTAL },   { "-1,2,t,f", SUPCOM_BAD_CALLS },
    };
    static const struct {
        const char *text;
        int64_t calls, time_ns;
        int seen;
        bool rounded;
    } good[] = {
        { "0,0,f,f", 0, 0, 0, false },
        { "1,2,t,f", 1, 2000000000, SUPCOM_ON_MAIN, false },
        { "12,0.5,f,t", 12, 500000000, SUPCOM_IN_COROUTINE, false },
        { "3,1e-05,t,t", 3, 10000, SUPCOM_ON_MAIN | SUPCOM_IN_COROUTINE, false },
        { "3,1.00000000025,t,f", 3, 1000000000, SUPCOM_ON_MAIN, true },
    };
    toll_supcom_values v;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (toll_supcom_values_of(wrong[i].text, strlen(wrong[i].text), &v) != wrong[i].fault)
            fail_msg("'%s' is accepted, or refused for another reason", wrong[i].text);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(toll_supcom_values_of(good[i].text, strlen(good[i].text), &v), 0);
        assert_int_equal(v.calls, good[i].calls);
        assert_int_equal(v.time_ns, good[i].time_ns);
        assert_int_equal(v.seen, good[i].seen);
        assert_int_equal(v.rounded, good[i].rounded);
    }
}

static void test_logs_with_nothing_in_them(void **state)
{
    (void)state;
    toll_error e;
    toll_profile *p;
    static const char before[] = "info: a\ninfo: b\ndebug: c\nwarning: d 12\n         more 3\n";
    assert_int_equal(read_with(NULL, before, NULL, &p, &e), TOLL_E_SYNTAX);
    assert_non_null(strstr(e.text, "was the profiler installed"));
    assert_int_equal(read_with(NULL, PROF "nothing\n", NULL, &p, &e), TOLL_E_SYNTAX);
    assert_non_null(strstr(e.text, "was the log changed"));
}

/* What the log looks like before the profiler's first line. */
static void test_which_logs_are_of_the_game(void **state)
{
    static const struct {
        const char *text;
        toll_sniff sniff;
    } cases[] = {
        { "", TOLL_SNIFF_NO },
        { "info: a\ninfo: b\ninfo: c\n", TOLL_SNIFF_NO },
        { "info: a\nwarning: b\ndebug: c\n         d\n", TOLL_SNIFF_LIKELY },
        { "info: a\nwarning: b\ndebug: c\n         d", TOLL_SNIFF_LIKELY },
        { "info: a\nwarning: b\ndebug: c\n        d\n", TOLL_SNIFF_NO },
        { "info: a\nwarning: b\ndebug:c\ninfo: d\n", TOLL_SNIFF_NO },
        { "info: a\ninfo: b\ninfo: c\ninfo: d\nxx\nxx\nxx\n", TOLL_SNIFF_LIKELY },
        { "info: a\ninfo: b\ninfo: c\ninfo: d\nxx\nxx\nxx\nxx\n", TOLL_SNIFF_NO },
        { "info: a\ninfo: b\ninfo: c\ninfo: d\nxx\nxx\nxx\n\n\r\nx\n", TOLL_SNIFF_LIKELY },
        { "xx\nxx\n" PROF "\n", TOLL_SNIFF_SURE },
        { "xx\nxx\n " PROF "\n", TOLL_SNIFF_NO },
        { "xx\nprof: a,1,b,2;1,2,t,f \r\n", TOLL_SNIFF_SURE },
        { "prof: a text, of another program\n", TOLL_SNIFF_NO },
        { "prof: ,t,\nprof: ,tff\n", TOLL_SNIFF_NO },
        { "info: prof-note: 1,x", TOLL_SNIFF_SURE },
        { "info: prof-note 1,x,t,f", TOLL_SNIFF_NO },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (toll_supcom_sniff((const uint8_t *)cases[i].text, strlen(cases[i].text)) !=
            cases[i].sniff)
            fail_msg("sniffed otherwise: %s", cases[i].text);
}

/* The part before the profile may be longer than what a format is recognised by. */
static void test_a_long_head(void **state)
{
    (void)state;
    size_t size = 200 * 1024, n = 0;
    char *text = malloc(size + 200);
    assert_non_null(text);
    while (n < size)
        n += (size_t)snprintf(text + n, size + 100 - n, "debug: Loading module '/lua/a%zu.lua'\n",
                              n);
    strcpy(text + n, PROF "@a,1,f,5;3,1,t,f\n");
    toll_profile *p = read_log(text);
    assert_int_equal(test_sum(p, 0), 3);
    toll_profile_free(p);
    free(text);
}

static void test_sums_that_do_not_fit(void **state)
{
    (void)state;
    toll_error e;
    toll_profile *p;
    assert_int_equal(
        read_with(NULL, PROF "@a,1,f,5;1,9e9,t,f\n" PROF "@a,1,f,5;1,9e9,t,f\n", NULL, &p, &e),
        TOLL_E_OVERFLOW);
    assert_non_null(strstr(e.text, "game.log:2: "));
    assert_int_equal(read_with(NULL,
                               PROF "@a,1,f,5;1,-9e9,t,f\n" PROF "@a,1,f,5;@a,2,g,1;1,9e9,t,f\n",
                               NULL, &p, &e),
                     TOLL_E_OVERFLOW);
}

static const char everything[] =
    "info: x\n" PROF HOME "a.lua,1,f,5;x = 1; y = 2,0,?,3;=[C],-1,print,-1;1,0.25,t,f\n" PROF HOME
    "a.lua,1,f,5;2,1.5,f,t\nwarning: y\n" PROF "bad\n" PROF HOME
    "a.lua,1,f,-5;@b,7,g,1;2,1e-05,t,t\nprof-note: 3,a note\nprof: @b,7,g";

static void test_truncation_and_bit_flips(void **state)
{
    (void)state;
    test_every_cut(everything, sizeof everything - 1, "supcom");
    test_every_flip(everything, sizeof everything - 1, "supcom");
}

static toll_status read_text(const toll_allocator *a, void *user)
{
    toll_profile *p;
    toll_status s = read_with(a, user, NULL, &p, NULL);
    toll_profile_free(p);
    return s;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    test_every_allocation(read_text, (void *)(uintptr_t)everything);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_self_is_total_without_children),
        cmocka_unit_test(test_lines_of_one_stack_add_up),
        cmocka_unit_test(test_threads_by_the_outermost_function),
        cmocka_unit_test(test_jitter_is_clamped_and_counted),
        cmocka_unit_test(test_stack_without_a_line),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_a_long_text_is_cut_between_characters),
        cmocka_unit_test(test_install_folders_that_all_share),
        cmocka_unit_test(test_folders_that_are_like_gamedata),
        cmocka_unit_test(test_a_source_that_is_the_folder),
        cmocka_unit_test(test_an_install_folder_within_another),
        cmocka_unit_test(test_damaged_lines_are_quoted_counted_refused),
        cmocka_unit_test(test_why_a_line_is_no_stack),
        cmocka_unit_test(test_lines_without_the_games_prefix),
        cmocka_unit_test(test_the_fields_behind_a_stack),
        cmocka_unit_test(test_logs_with_nothing_in_them),
        cmocka_unit_test(test_which_logs_are_of_the_game),
        cmocka_unit_test(test_a_long_head),
        cmocka_unit_test(test_sums_that_do_not_fit),
        cmocka_unit_test(test_truncation_and_bit_flips),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
