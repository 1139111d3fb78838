/* test_progress.c - cli/progress.h: the line that shows progress, at each step of the timer, which
 * the test is itself. */
#include "support.h"

#include "cli/console.h"
#include "cli/progress.h"
#include "support_folder.h"

#include <fcntl.h>
#include <unistd.h>

static void (*timer)(void); /* NULL: it is stopped */
static bool is_terminal = true;

bool toll_console_is_terminal(int fd)
{
    return is_terminal && fd == TOLL_STDERR;
}

void toll_console_start_timer(void (*work)(void))
{
    assert_null(timer);
    timer = work;
}

void toll_console_stop_timer(void)
{
    assert_non_null(timer);
    timer = NULL;
}

/* What `work` prints on standard error must be `expected`. */
static void expect(void (*work)(void), const char *expected)
{
    char text[4000];
    fflush(stderr);
    int kept = dup(2), file = open(test_path("said"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0 && file >= 0 && dup2(file, 2) == 2);
    work();
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    assert_int_equal(lseek(file, 0, SEEK_SET), 0);
    ssize_t n = read(file, text, sizeof text - 1);
    close(file);
    assert_true(n >= 0);
    text[n] = 0;
    assert_string_equal(text, expected);
    assert_null(timer);
}

static void percents(void)
{
    static const uint64_t done[] = { 0, 9, 10, 11, 90, 98, 99 };
    toll_progress_begin(true, "reading", "a\x1b.folded");
    timer();
    for (size_t i = 0; i < sizeof done / sizeof *done; i++) {
        toll_progress_at(NULL, done[i], 99); /* of which one is a percent */
        timer();
    }
    toll_progress_at(NULL, 5, 0); /* not known: as before */
    timer();
    toll_progress_end();
}

static void rounded(void)
{
    toll_progress_begin(true, "x", "y");
    for (uint64_t whole = 199; whole <= 201; whole++) {
        toll_progress_at(NULL, 100, whole);
        timer();
    }
    toll_progress_at(NULL, UINT64_MAX / 2, UINT64_MAX);
    timer();
    toll_progress_end();
}

/* Other work shows at once if the line is there already. */
static void other_work(void)
{
    toll_progress_begin(true, "reading", "a");
    toll_progress_begin(true, "reading", "b");
    timer();
    toll_progress_at(NULL, 1, 2);
    toll_progress_begin(true, "writing", "c");
    toll_progress_clear();
    toll_progress_clear();
    toll_progress_begin(true, "writing", "d");
    timer();
    toll_progress_end();
    toll_progress_end();
}

static void nothing(void)
{
    toll_progress_begin(false, "reading", "a");
    assert_null(timer);
    is_terminal = false;
    toll_progress_begin(true, "reading", "a");
    is_terminal = true;
    assert_null(timer);
    toll_progress_end();
    toll_progress_begin(true, "reading", "a"); /* which takes less than a second */
    toll_progress_end();
}

static void long_name(void)
{
    char name[300];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    toll_progress_begin(true, "reading", name);
    toll_progress_at(NULL, 100, 100);
    timer();
    toll_progress_end();
}

#define LINE(text) "\r" text " \x1b[K"
#define NAME(percent) LINE("reading a\\x1b.folded" percent)
#define CLEAR "\r\x1b[K"

static void test_progress_is_a_line_of_the_terminal(void **state)
{
    char expected[400];
    (void)state;
    expect(percents, NAME("") NAME(" 0%") NAME(" 9%") NAME(" 10%") NAME(" 11%") NAME(" 90%")
                         NAME(" 98%") NAME(" 99%") NAME(" 99%") CLEAR);
    expect(rounded, LINE("x y 50%") LINE("x y 33%") LINE("x y 33%") LINE("x y 49%") CLEAR);
    expect(other_work, LINE("reading b") LINE("writing c") CLEAR LINE("writing d") CLEAR);
    expect(nothing, "");
    snprintf(expected, sizeof expected, LINE("reading %0151d 50%%") CLEAR, 0);
    for (char *c = strchr(expected, '0'); *c == '0'; c++)
        *c = 'n';
    expect(long_name, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_progress_is_a_line_of_the_terminal),
    };
    return cmocka_run_group_tests(tests, test_make_folder, test_remove_folder);
}
