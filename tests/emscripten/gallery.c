/* gallery.c - draws pictures with stb, packs them as PNG, and unpacks them for thumbnails. Only one
 * of its two ways out frees the unpacked pictures. */
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_WRITE_NO_STDIO
#define STBI_ONLY_PNG
#include "stb_image.h"
#include "stb_image_write.h"
#include <emscripten.h>

enum { WIDTH = 64, HEIGHT = 48 };

static unsigned char pixels[WIDTH * HEIGHT * 3];
static volatile unsigned sum;

__attribute__((noinline)) static unsigned char *unpack(const unsigned char *png, int size)
{
    int w, h, channels;
    unsigned char *p = stbi_load_from_memory(png, size, &w, &h, &channels, 3);
    sum += p[w * h * 3 - 1];
    return p;
}

__attribute__((noinline)) static void show(const unsigned char *png, int size)
{
    stbi_image_free(unpack(png, size));
}

__attribute__((noinline)) static void show_and_forget(const unsigned char *png, int size)
{
    unpack(png, size);
    sum++;
}

EMSCRIPTEN_KEEPALIVE void draw(int times, int forget)
{
    for (int i = 0; i < times; i++) {
        int size;
        pixels[i % (int)sizeof pixels]++;
        unsigned char *png = stbi_write_png_to_mem(pixels, WIDTH * 3, WIDTH, HEIGHT, 3, &size);
        (forget ? show_and_forget : show)(png, size);
        STBIW_FREE(png);
    }
}

int main(void)
{
    return 0;
}
