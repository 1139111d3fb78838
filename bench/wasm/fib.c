/* fib.c - nothing but calls. */
__attribute__((noinline)) int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__attribute__((export_name("run"))) int run(int n)
{
    return fib(n);
}
