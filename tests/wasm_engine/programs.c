/* programs.c - a hash, bodies that move, an interpreter, a sieve: work as programs have it, for
 * `run`, which gives a number that depends on all of it. */
typedef unsigned char u8;
typedef unsigned u32;
typedef unsigned long long u64;

/* --- a hash of the SHA-2 family's form ---------------------------------------------------------*/

static u32 rotated(u32 x, int n)
{
    return x >> n | x << (32 - n);
}

static void mix(u32 *state, const u8 *block)
{
    u32 w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (u32)block[4 * i] << 24 | (u32)block[4 * i + 1] << 16 | (u32)block[4 * i + 2] << 8 |
               block[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] + (rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18)) +
               (rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19));
    for (int i = 0; i < 8; i++)
        s[i] = state[i];
    for (int i = 0; i < 64; i++) {
        u32 a = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                (u32)i * 0x9e3779b9 + w[i];
        u32 b = (rotated(s[0], 2) ^ rotated(s[0], 13)) + ((s[0] & s[1]) ^ (s[0] & s[2]));
        for (int j = 7; j > 0; j--)
            s[j] = s[j - 1];
        s[4] += a;
        s[0] = a + b;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

static u32 hash(int blocks)
{
    u32 state[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    u8 block[64];
    for (int i = 0; i < blocks; i++) {
        __builtin_memset(block, i, sizeof block);
        mix(state, block);
    }
    return state[0] ^ state[7];
}

/* --- bodies ------------------------------------------------------------------------------------*/

typedef struct body {
    double at[3], speed[3], mass;
} body;

static double move(int steps)
{
    static body bodies[4];
    for (int i = 0; i < 4; i++)
        bodies[i] = (body){ { i, 2.0 * i, i * i }, { 0, 0.1 * i, 0 }, 1.0 + i };
    while (steps-- > 0)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                double d[3], square = 0.01;
                for (int k = 0; k < 3; k++) {
                    d[k] = bodies[j].at[k] - bodies[i].at[k];
                    square += d[k] * d[k];
                }
                for (int k = 0; k < 3; k++) {
                    bodies[i].speed[k] += 0.01 * d[k] * bodies[j].mass / __builtin_sqrt(square);
                    bodies[i].at[k] += 0.01 * bodies[i].speed[k];
                }
            }
    return bodies[1].at[0] * 1000;
}

/* --- an interpreter ----------------------------------------------------------------------------*/

enum { PUSH, ADD, MULTIPLY, SWAP, DOUBLE, DROP, JUMP_BACK, STOP };

static u64 interpret(const u8 *code, int rounds)
{
    u64 stack[8] = { 1, 1 };
    int top = 2;
    for (int at = 0;; at++)
        switch (code[at]) {
        case PUSH: stack[top++] = code[++at]; break;
        case ADD: top--, stack[top - 1] += stack[top]; break;
        case MULTIPLY: top--, stack[top - 1] *= stack[top]; break;
        case SWAP: {
            u64 swap = stack[top - 1];
            stack[top - 1] = stack[top - 2];
            stack[top - 2] = swap;
            break;
        }
        case DOUBLE: stack[top] = stack[top - 1], top++; break;
        case DROP: top--; break;
        case JUMP_BACK:
            if (rounds-- > 0)
                at = -1;
            break;
        default: return stack[0] ^ stack[1];
        }
}

/* --- a sieve -----------------------------------------------------------------------------------*/

static int primes(int below)
{
    static u8 is_not[2000];
    int count = 0;
    __builtin_memset(is_not, 0, sizeof is_not);
    for (int i = 2; i < below; i++) {
        count += !is_not[i];
        for (int j = 2 * i; j < below; j += i)
            is_not[j] = 1;
    }
    return count;
}

static int (*const functions[])(int) = { primes };

__attribute__((export_name("run"))) int run(int n)
{
    static const u8 code[] = { DOUBLE, ADD, PUSH, 3, MULTIPLY, SWAP, JUMP_BACK, STOP };
    u64 sum = hash(n * 10) + (u64)(long long)move(n * 50) + interpret(code, n * 1000);
    return (int)sum + functions[n & 0](500 + 400 * n);
}
