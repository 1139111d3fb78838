/* guest.c - what the tests of toll-go/wazero run: functions whose costs and calls are known, traps,
 * waits. */
#define EXPORT(name) __attribute__((export_name(name)))
#define NOINLINE __attribute__((noinline))

__attribute__((import_module("env"), import_name("host"))) int host(int what);

static volatile int sum, stop;

/* Costs the same each time. */
NOINLINE static void leaf(int x)
{
    sum += x;
}

NOINLINE static void twice(int x)
{
    leaf(x);
    leaf(x + 1);
}

EXPORT("work") int work(int n)
{
    while (n-- > 0)
        twice(n);
    return sum;
}

EXPORT("fib") int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

NOINLINE static int fall(int depth)
{
    if (depth == 0)
        __builtin_trap();
    return fall(depth - 1) + 1;
}

EXPORT("trap") int trap(int depth)
{
    leaf(1);
    return fall(depth) + sum;
}

EXPORT("ask") int ask(int what)
{
    leaf(2);
    return host(what);
}

EXPORT("stop") volatile int *where_to_stop(void)
{
    return &stop;
}

EXPORT("sum") volatile int *where_the_sum_is(void)
{
    return &sum;
}

/* Until `stop` is set. */
EXPORT("calls") void calls_until_stopped(void)
{
    while (!stop)
        twice(1);
}

/* No calls for a while. wazero cannot interrupt that, not even for Go's garbage collector: so it
 * ends. */
EXPORT("computes") void computes(int millions)
{
    leaf(3);
    for (int i = 0; i < 1000000 * millions; i++)
        sum++;
}

NOINLINE static void left(int depth, int path);
NOINLINE static void right(int depth, int path);

static void turn(int depth, int path)
{
    if (depth == 0)
        return;
    if (path & 1)
        left(depth - 1, path >> 1);
    else
        right(depth - 1, path >> 1);
}

NOINLINE static void left(int depth, int path)
{
    turn(depth, path);
    sum += 2; /* after the call, which else would become a jump */
}

NOINLINE static void right(int depth, int path)
{
    turn(depth, path);
    sum++;
}

/* Each path of `depth` turns, which are as many stacks. */
EXPORT("paths") void paths(int depth)
{
    for (int path = 0; path < 1 << depth && !stop; path++)
        turn(depth, path);
}

/* The same, again and again until `stop` is set. */
EXPORT("walk") void walk(int depth)
{
    for (int path = 0; !stop; path++)
        turn(depth, path);
}
