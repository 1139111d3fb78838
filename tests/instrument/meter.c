/* meter.c - uses all of C's control flow, so that lines run different numbers of times. Its
 * executions by line as WebAssembly must be those that other tools count natively (meter.mjs). */
static unsigned seed = 1;

static unsigned next(unsigned below)
{
    seed = seed * 1103515245 + 12345;
    return (seed >> 16) % below;
}

static int collatz(unsigned n)
{
    int steps = 0;
    while (n != 1) {
        if (n % 2 == 0)
            n /= 2;
        else
            n = 3 * n + 1;
        steps++;
    }
    return steps;
}

static int fib(int n)
{
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}

static int kind(int n)
{
    switch (n % 7) {
    case 0: return 1;
    case 1:
    case 2: n += 3; break;
    case 5:
        n--;
        /* fall through */
    default: n *= 2;
    }
    return n;
}

static int find(const int *values, int count, int wanted)
{
    for (int i = 0; i < count; i++) {
        if (values[i] < 0)
            continue;
        if (values[i] == wanted)
            return i;
    }
    return -1;
}

static int sieve(int limit)
{
    static char composite[1000];
    int primes = 0;
    int i = 2;
    do {
        if (composite[i])
            goto next;
        primes++;
        for (int j = 2 * i; j < limit; j += i)
            composite[j] = 1;
    next:
        i++;
    } while (i < limit);
    return primes;
}

int run(int rounds)
{
    int values[50];
    int sum = 0;
    for (int i = 0; i < 50; i++)
        values[i] = (int)next(40) - 5;
    for (int i = 0; i < rounds; i++) {
        sum += collatz(next(1000) + 1);
        sum += kind((int)next(100));
        if (find(values, 50, i) >= 0 && i % 3 != 0)
            sum -= i;
        unsigned big = next(3) ? 1 : 2;
        sum += (int)big;
    }
    sum += fib(12);
    sum += sieve(500);
    return sum;
}

#ifndef __wasm__
int main(void)
{
    return run(40) == 0;
}
#endif
