/* lines.c - a program with debug information and known costs of its lines. */
typedef unsigned long long u64;
typedef unsigned char u8;

u64 work(const u8 *input, u64 n);

u64 entrypoint(const u8 *input)
{
    u64 sum = work(input, 40);
    return sum == 12345;
}

static inline u64 mix(u64 x)
{
    return x * 31 + 7;
}

__attribute__((noinline)) u64 work(const u8 *input, u64 n)
{
    u64 sum = 0;
    for (u64 i = 0; i < n; i++) {
        sum += mix(input[i & 7]);
        if (sum % 3 == 0)
            sum ^= i;
    }
    return sum;
}
