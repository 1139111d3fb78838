/* picture.c - stb: draws, scales, writes PNG and JPEG into memory, and reads them again. */
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_WRITE_NO_STDIO
#define STBI_NO_THREAD_LOCALS
#include "stb_image.h"
#include "stb_image_resize.h"
#include "stb_image_write.h"
#include <stdio.h>
#include <string.h>

enum { WIDTH = 64, HEIGHT = 48 };
static unsigned char pixels[WIDTH * HEIGHT * 3], large[WIDTH * HEIGHT * 27], file[1 << 18];
static int size;

static void put(void *context, void *data, int count)
{
    (void)context;
    memcpy(file + size, data, (size_t)count);
    size += count;
}

static unsigned checksum(const unsigned char *p, int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + p[i];
    return sum;
}

static unsigned back(const char *what, int width, int height, const unsigned char *original)
{
    int w, h, channels;
    unsigned char *p = stbi_load_from_memory(file, size, &w, &h, &channels, 3);
    if (!p || w != width || h != height)
        return printf("%s: is not read again\n", what), 0;
    int most = 0;
    for (int i = 0; i < w * h * 3; i++)
        most = abs(p[i] - original[i]) > most ? abs(p[i] - original[i]) : most;
    unsigned sum = checksum(p, w * h * 3);
    printf("%s: %d bytes, %08x, %d away\n", what, size, sum, most);
    stbi_image_free(p);
    return sum;
}

int main(void)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            unsigned char *p = pixels + 3 * (y * WIDTH + x);
            p[0] = (unsigned char)(x * 4), p[1] = (unsigned char)(y * 5),
            p[2] = (unsigned char)(x * y);
        }
    stbir_resize_uint8(pixels, WIDTH, HEIGHT, 0, large, WIDTH * 3, HEIGHT * 3, 0, 3);
    stbi_write_png_to_func(put, NULL, WIDTH * 3, HEIGHT * 3, 3, large, WIDTH * 9);
    back("png", WIDTH * 3, HEIGHT * 3, large);
    size = 0;
    stbi_write_jpg_to_func(put, NULL, WIDTH, HEIGHT, 3, pixels, 90);
    back("jpeg", WIDTH, HEIGHT, pixels);
    return 0;
}
