/* webp.c - a WASI program for bench/wasm/programs.sh: compresses its input, taken for pixels,
 * ROUNDS times with libwebp. Arithmetic in medium functions. */
#include <stdio.h>
#include <stdlib.h>
#include <webp/encode.h>

int main(int argc, char **argv)
{
    enum { SIDE = 512 };
    static uint8_t pixels[3 * SIDE * SIDE];
    (void)fread(pixels, 1, sizeof pixels, stdin);
    for (int i = 0; argc > 1 && i < atoi(argv[1]); i++) {
        uint8_t *out;
        printf("%zu bytes\n", WebPEncodeRGB(pixels, SIDE, SIDE, 3 * SIDE, 75, &out));
        WebPFree(out);
    }
}
