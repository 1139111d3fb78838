/* fib.c - nothing but calls. */
__attribute__((noinline)) int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__attribute__((export_name("run"))) int run(int n)
{
    return fib(n);
}

__attribute__((noinline)) static int leaf(int n)
{
    return n * 3 + 1;
}

__attribute__((export_name("turns"))) int turns(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += leaf(i);
        sum ^= leaf(sum);
    }
    return sum;
}
