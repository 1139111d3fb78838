/* mixed.c - a typical program: reads a text of numbers and words, sorts, and keeps both in
 * structures from malloc. About 20 million calls a second, most of them short. The argument is
 * ROUNDS. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 4000, BUCKETS = 1024, TEXT = RECORDS * 80 };

static uint32_t seed;

static uint32_t next_random(void)
{
    return seed = seed * 1664525 + 1013904223;
}

/* --- a text: lines of a number, a word and another number --------------------------------------*/

static char text[TEXT];

static void write_text(void)
{
    char *at = text;
    for (int i = 0; i < RECORDS; i++) {
        uint32_t r = next_random();
        at += sprintf(at, "%d.%05d ", (int)(r >> 16 & 0xfff) - 2000, (int)(r & 0xffff));
        for (uint32_t n = 8 + (next_random() >> 27); n > 0; n--)
            *at++ = (char)('a' + (next_random() >> 28));
        at += sprintf(at, ",%u\n", next_random() >> 12);
    }
    *at = 0;
}

typedef struct record {
    double weight;
    char *word;
    unsigned count;
} record;

static record *records[RECORDS];

static int peek(const char **at)
{
    return (unsigned char)**at;
}

static void advance(const char **at)
{
    ++*at;
}

static int is_space(int c)
{
    return c == ' ' || c == '\n';
}

static void pass_space(const char **at)
{
    while (is_space(peek(at)))
        advance(at);
}

static char *read_word(const char **at)
{
    const char *begin = *at;
    while (peek(at) && peek(at) != ',' && !is_space(peek(at)))
        advance(at);
    size_t size = (size_t)(*at - begin);
    char *word = malloc(size + 1);
    memcpy(word, begin, size);
    word[size] = 0;
    return word;
}

static unsigned read_count(const char **at)
{
    unsigned value = 0;
    while (peek(at) >= '0' && peek(at) <= '9') {
        value = 10 * value + (unsigned)(peek(at) - '0');
        advance(at);
    }
    return value;
}

static record *read_record(const char **at)
{
    record *r = malloc(sizeof *r);
    char *end;
    pass_space(at);
    r->weight = strtod(*at, &end);
    *at = end;
    pass_space(at);
    r->word = read_word(at);
    advance(at);
    r->count = read_count(at);
    return r;
}

static void parse(void)
{
    const char *at = text;
    for (int i = 0; i < RECORDS; i++)
        records[i] = read_record(&at);
}

/* --- sorting -----------------------------------------------------------------------------------*/

static int by_weight(const void *a, const void *b)
{
    const record *x = *(record *const *)a, *y = *(record *const *)b;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

static int by_word(const void *a, const void *b)
{
    const record *x = *(record *const *)a, *y = *(record *const *)b;
    int order = strcmp(x->word, y->word);
    return order ? order : (x->count > y->count) - (x->count < y->count);
}

/* --- structures --------------------------------------------------------------------------------*/

typedef struct entry {
    struct entry *next;
    const char *word;
    unsigned sum;
} entry;

static entry *table[BUCKETS];

static uint32_t mix(uint32_t hash, unsigned char c)
{
    return (hash ^ c) * 16777619u;
}

static uint32_t hash_of(const char *word)
{
    uint32_t hash = 2166136261u;
    while (*word)
        hash = mix(hash, (unsigned char)*word++);
    return hash;
}

static entry *find_entry(const char *word)
{
    entry **slot = &table[hash_of(word) % BUCKETS];
    for (entry *e = *slot; e; e = e->next)
        if (strcmp(e->word, word) == 0)
            return e;
    entry *made = calloc(1, sizeof *made);
    made->next = *slot;
    made->word = word;
    return *slot = made;
}

static void count_words(void)
{
    for (int i = 0; i < RECORDS; i++)
        find_entry(records[i]->word)->sum += records[i]->count;
}

typedef struct tree {
    struct tree *left, *right;
    double key;
} tree;

static tree *insert(tree *t, double key)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else {
        t->right = insert(t->right, key);
    }
    return t;
}

static int depth_of(const tree *t)
{
    if (!t)
        return 0;
    int left = depth_of(t->left), right = depth_of(t->right);
    return 1 + (left > right ? left : right);
}

static void free_tree(tree *t)
{
    if (!t)
        return;
    free_tree(t->left);
    free_tree(t->right);
    free(t);
}

static void free_all(void)
{
    for (int i = 0; i < BUCKETS; i++)
        for (entry *e = table[i], *next; e; e = next) {
            next = e->next;
            free(e);
        }
    memset(table, 0, sizeof table);
    for (int i = 0; i < RECORDS; i++) {
        free(records[i]->word);
        free(records[i]);
    }
}

/* --- and something that computes ---------------------------------------------------------------*/

static uint32_t fib(uint32_t n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static double smooth(void)
{
    static double a[RECORDS], b[RECORDS];
    for (int i = 0; i < RECORDS; i++)
        a[i] = records[i]->weight;
    for (int turn = 0; turn < 40; turn++) {
        for (int i = 1; i + 1 < RECORDS; i++)
            b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
        memcpy(a, b, sizeof a);
    }
    return a[RECORDS / 2];
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 10;
    double sum = 0;
    seed = 1;
    write_text();
    for (int round = 0; round < rounds; round++) {
        tree *t = NULL;
        parse();
        count_words();
        for (int i = 0; i < RECORDS / 4; i++)
            t = insert(t, records[i]->weight);
        qsort(records, RECORDS / 8, sizeof *records, round % 2 ? by_weight : by_word);
        sum += depth_of(t) + fib(20) + smooth();
        free_tree(t);
        free_all();
    }
    printf("%.3f\n", sum);
    return 0;
}
