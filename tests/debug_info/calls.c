/* calls.c - functions that are inlined in one another, loops and branches, without a library. */
static int table[64];

static inline int mix(int a, int b)
{
    int c = a ^ (b << 3);
    return c + (a & b);
}

static inline int step(int x)
{
    for (int i = 0; i < 4; i++)
        x = mix(x, i) + mix(i, x);
    return x;
}

__attribute__((noinline)) int fill(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        table[i & 63] += step(i);
        if (table[i & 63] % 3 == 0)
            sum += mix(sum, i);
        else
            sum -= step(sum);
    }
    return sum;
}

__attribute__((noinline)) int find(int value)
{
    for (int i = 0; i < 64; i++)
        if (table[i] == value)
            return i;
    return -1;
}

int run(int n)
{
    int sum = fill(n);
    switch (find(sum)) {
    case -1: return step(n);
    case 0: return mix(n, sum);
    default: return find(step(sum));
    }
}
