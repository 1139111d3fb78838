/* bzip2.c - a WASI program for bench/wasm/programs.sh: compresses its input ROUNDS times with
 * libbz2, and expands it again. Large functions, and much memory. */
#include <bzlib.h>
#include <stdio.h>
#include <stdlib.h>

void bz_internal_error(int error)
{
    (void)error;
    abort();
}

int main(int argc, char **argv)
{
    enum { MOST = 8 << 20 };
    static char in[MOST], packed[2 * MOST];
    unsigned size = (unsigned)fread(in, 1, MOST, stdin);
    for (int i = 0; argc > 1 && i < atoi(argv[1]); i++) {
        unsigned most = sizeof packed, back = MOST;
        if (BZ2_bzBuffToBuffCompress(packed, &most, in, size, 9, 0, 0) ||
            BZ2_bzBuffToBuffDecompress(in, &back, packed, most, 0, 0))
            return 1;
        printf("%u to %u bytes\n", back, most);
    }
}
