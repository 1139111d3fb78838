/* words.c - counts the different words of a text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct word {
    struct word *next;
    char text[16];
} word;

static int hash(const char *text)
{
    unsigned h = 0;
    for (; *text; text++)
        h = h * 31 + (unsigned char)*text;
    return (int)(h % 64);
}

static word *buckets[64];

__attribute__((noinline)) static int add(const char *text)
{
    word **bucket = &buckets[hash(text)];
    for (word *w = *bucket; w; w = w->next)
        if (strcmp(w->text, text) == 0)
            return 0;
    word *w = calloc(1, sizeof *w);
    if (!w)
        abort();
    strncpy(w->text, text, sizeof w->text - 1);
    w->next = *bucket;
    *bucket = w;
    return 1;
}

__attribute__((noinline)) static void free_all(void)
{
#ifdef CHANGE_tick
    __asm__ volatile("nop");
#endif
    for (int i = 0; i < 64; i++)
        while (buckets[i]) {
            word *w = buckets[i];
            buckets[i] = w->next;
#ifdef CHANGE_leak
            if (strcmp(w->text, "word1") == 0)
                continue;
#endif
            free(w);
        }
}

int main(void)
{
    int different = 0;
    for (int i = 0; i < 500; i++) {
        char text[16];
        snprintf(text, sizeof text, "word%d", i * i % 97);
        different += add(text);
    }
    free_all();
    return different == 49 ? 0 : 1;
}
