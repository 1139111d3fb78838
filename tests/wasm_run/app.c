/* app.c - a WASI program for toll run that uses all parts of the system:
 *
 *   app echo FILE       its arguments, a variable, its input, a file
 *   app fib N           nothing but calls
 *   app exit STATUS     ends deep in calls
 *   app trap | overflow | loop
 *   app reads FILE      many calls of WASI while memory grows
 *   app sum [random]    the sum of its input, after a while, then random dots; exit status 5
 *   app steps N         N calls, then others for a second by its clock, and then without end
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__attribute__((noinline)) int deeper(int n)
{
    volatile int keep = n;
    return keep < 0 ? 0 : deeper(n + 1) + keep;
}

static __attribute__((noinline)) void leave(int status, int depth)
{
    if (depth > 0)
        leave(status, depth - 1);
    exit(status);
}

static __attribute__((noinline)) void spin(void)
{
    puts("spinning");
    fflush(stdout);
    for (volatile unsigned i = 0;; i++)
        ;
}

static __attribute__((noinline)) int step(volatile int *n)
{
    return ++*n;
}

/* It takes microseconds: a minute of it, on a machine that does much else, is no more events than a
 * test reads at once. */
static __attribute__((noinline)) void other(void)
{
    for (volatile int n = 0; n < 10000; n++)
        ;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void say(const char *what)
{
    puts(what);
    fflush(stdout);
}

static int steps(int count)
{
    volatile int n = 0;
    while (n < count)
        step(&n);
    double end = seconds() + 1;
    while (seconds() < end)
        other();
    say("a second later");
    for (;;)
        other();
}

static int echo(int argc, char **argv)
{
    char line[100];
    const char *variable = getenv("COLOR");
    for (int i = 0; i < argc; i++)
        printf("argument %d: %s\n", i, argv[i]);
    printf("COLOR is %s\n", variable ? variable : "not set");
    while (fgets(line, sizeof line, stdin))
        fprintf(stderr, "input: %s", line);
    FILE *f = argc > 2 ? fopen(argv[2], "r") : NULL;
    if (!f)
        return 3;
    printf("file: %s", fgets(line, sizeof line, f) ? line : "empty\n");
    return fclose(f);
}

/* Reads the file a thousand times, and keeps 300 MB of memory in small pieces. */
static int reads(const char *name)
{
    char bytes[4096];
    long sum = 0;
    void **kept = NULL;
    for (int i = 0; i < 1000; i++) {
        int fd = open(name, O_RDONLY);
        if (fd < 0)
            return 3;
        for (int k = 0; k < 4; k++)
            sum += (long)read(fd, bytes, sizeof bytes);
        close(fd);
        for (int k = 0; k < 20; k++) {
            void **piece = malloc(16000);
            if (!piece)
                return 4;
            *piece = (void *)kept;
            kept = piece;
        }
    }
    return printf("%ld bytes\n", sum) < 0;
}

static void sum(bool is_random)
{
    char line[100];
    unsigned char dots = 0;
    int sum = 0;
    while (fgets(line, sizeof line, stdin))
        sum += atoi(line);
    printf("%d %d\n", sum, fib(34));
    if (is_random && getentropy(&dots, 1))
        exit(1);
    for (int i = 0; i < dots; i++)
        putchar('.');
    exit(5);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int n = argc > 2 ? atoi(argv[2]) : 0;
    if (strcmp(what, "echo") == 0)
        return echo(argc, argv);
    if (strcmp(what, "fib") == 0)
        return printf("%d\n", fib(n)) < 0;
    if (strcmp(what, "exit") == 0)
        leave(n, 5);
    if (strcmp(what, "trap") == 0)
        __builtin_trap();
    if (strcmp(what, "overflow") == 0)
        printf("%d\n", deeper(0));
    if (strcmp(what, "loop") == 0)
        spin();
    if (strcmp(what, "reads") == 0 && argc > 2)
        return reads(argv[2]);
    if (strcmp(what, "sum") == 0)
        sum(argc > 2);
    if (strcmp(what, "steps") == 0)
        return steps(n);
    return 2;
}
