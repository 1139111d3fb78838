/* words.c - the commonest words of standard input: a WASI program for `toll run`.
 *
 *     clang --target=wasm32-wasi --sysroot=/usr -O1 -c words.c
 *     clang --target=wasm32-wasi --sysroot=/usr words.o -o words.wasm
 *     toll run words.wasm <text
 *
 * Linked with -O, or compiled and linked in one command with it, its functions lose their names. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024, MOST_LETTERS = 63, SHOWN = 5 };

typedef struct word {
    struct word *next;
    unsigned count;
    char text[];
} word;

static word *buckets[BUCKETS];
static size_t different;

__attribute__((noinline)) static unsigned hash(const char *text)
{
    unsigned h = 5381;
    while (*text)
        h = h * 33 + (unsigned char)*text++;
    return h % BUCKETS;
}

__attribute__((noinline)) static word *find(const char *text)
{
    word **bucket = &buckets[hash(text)], *w = *bucket;
    while (w && strcmp(w->text, text) != 0)
        w = w->next;
    if (w)
        return w;
    w = malloc(sizeof *w + strlen(text) + 1);
    if (!w)
        exit(1);
    *w = (word){ .next = *bucket };
    strcpy(w->text, text);
    different++;
    return *bucket = w;
}

__attribute__((noinline)) static int read_word(char *text)
{
    int c, n = 0;
    while ((c = getchar()) != EOF && !isalpha(c))
        ;
    for (; c != EOF && isalpha(c); c = getchar())
        if (n < MOST_LETTERS)
            text[n++] = (char)tolower(c);
    text[n] = '\0';
    return n;
}

static int by_count(const void *a, const void *b)
{
    const word *x = *(word *const *)a, *y = *(word *const *)b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->text, y->text);
}

static void show(void)
{
    word **all = malloc(different * sizeof *all);
    size_t n = 0;
    if (!all)
        return;
    for (int i = 0; i < BUCKETS; i++)
        for (word *w = buckets[i]; w; w = w->next)
            all[n++] = w;
    qsort(all, n, sizeof *all, by_count);
    for (size_t i = 0; i < n && i < SHOWN; i++)
        printf("%6u %s\n", all[i]->count, all[i]->text);
    free(all);
}

int main(void)
{
    char text[MOST_LETTERS + 1];
    while (read_word(text))
        find(text)->count++;
    show();
    return 0;
}
