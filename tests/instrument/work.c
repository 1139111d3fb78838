/* work.c - loops, switches, floats, vectors and memory: instructions of many kinds, to be counted.
 */
typedef unsigned char u8;
typedef unsigned u32;
static u8 buffer[4096];
static u32 numbers[256];

static u32 crc(const u8 *p, u32 n)
{
    u32 c = ~0u;
    while (n--) {
        c ^= *p++;
        for (int i = 0; i < 8; i++)
            c = c >> 1 ^ (c & 1 ? 0xedb88320 : 0);
    }
    return ~c;
}

static void sort(u32 *a, int low, int high)
{
    int i = low, j = high;
    u32 pivot = a[(low + high) / 2];
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            u32 swap = a[i];
            a[i++] = a[j];
            a[j--] = swap;
        }
    }
    if (low < j)
        sort(a, low, j);
    if (i < high)
        sort(a, i, high);
}

static u32 machine(const u8 *code, u32 n)
{
    u32 a = 1, b = 0;
    for (u32 i = 0; i < n; i++)
        switch (code[i] & 7) {
        case 0: a += 3; break;
        case 1: b ^= a; break;
        case 2: a = a << 1 | a >> 31; break;
        case 3: i += a & 3; break;
        case 4: a -= b; break;
        case 5: b++; break;
        case 6:
            if (b & 1)
                a = ~a;
        }
    return a ^ b;
}

static double matrix(int n)
{
    static double a[16][16], b[16][16], c[16][16];
    double trace = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = i - j / 2.0, b[i][j] = i * j + 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
    for (int i = 0; i < n; i++)
        trace += c[i][i];
    return trace;
}

__attribute__((export_name("run"))) u32 run(int seed)
{
    u32 x = (u32)seed;
    for (u32 i = 0; i < sizeof buffer; i++)
        buffer[i] = (u8)((x = x * 1664525 + 1013904223) >> 24);
    for (u32 i = 0; i < 256; i++)
        numbers[i] = crc(buffer + i, 16);
    sort(numbers, 0, 255);
    __builtin_memcpy(buffer, numbers, sizeof numbers);
    return crc(buffer, sizeof buffer) ^ machine(buffer, sizeof buffer) ^ (u32)matrix(13) ^
           numbers[7];
}
