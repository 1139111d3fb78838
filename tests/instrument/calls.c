/* calls.c - calls of every kind: recursive, mutual, through a table, imported. */
__attribute__((import_module("env"), import_name("host"))) int host(int);

__attribute__((noinline)) int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__attribute__((noinline)) int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__attribute__((noinline)) int odd(int n);
__attribute__((noinline)) int even(int n)
{
    return n == 0 ? 1 : 1 - odd(n - 1);
}
__attribute__((noinline)) int odd(int n)
{
    return n == 0 ? 1 : 1 - even(n - 1);
}

/* Called in turn by one function: a callee may be taken for the one that was called before it. */
static volatile int sink;
__attribute__((noinline)) void first(int n)
{
    sink = n;
}
__attribute__((noinline)) void second(int n)
{
    sink = -n;
}

typedef int (*function)(int);
static volatile function table[] = { fib, even, host };

__attribute__((export_name("run"))) int run(int n)
{
    int sum = ackermann(2, 3);
    for (int i = 0; i < 3; i++)
        sum += table[i](n);
    for (int i = 0; i < 4; i++) {
        first(i);
        second(i);
    }
    return sum + host(n);
}
