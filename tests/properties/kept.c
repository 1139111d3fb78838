/* kept.c - prints the parts of a profile that a format keeps, as sorted lines; see
 * random_profile.h. */
#include "random_profile.h"

#include "profile/order.h"
#include "profile/shown.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_SIZE = 1 << 14 };

typedef struct kept_line {
    char *text;
    int64_t value;
} kept_line;

typedef struct kept {
    const toll_profile *p;
    unsigned keeps;
    int as_line; /* names as lines of text can have them */
    toll_labels labels;
    kept_line *lines;
    size_t count, capacity;
} kept;

static void fail(const char *what)
{
    fprintf(stderr, "cannot compare: %s\n", what);
    exit(2);
}

static void put(char *to, const char *text)
{
    size_t used = strlen(to);
    if (used + strlen(text) >= STACK_SIZE)
        fail("a stack is too long for this test");
    strcpy(to + used, text);
}

/* In formats of lines some characters have a meaning, and others stand in their place: letters and
 * digits must come through. */
static void put_as_line(char *to, const char *name)
{
    char text[STACK_SIZE];
    size_t n = 0;
    for (; *name && n + 1 < sizeof text; name++)
        if (isalnum((unsigned char)*name))
            text[n++] = *name;
    text[n] = 0;
    put(to, n ? text : "-");
}

static void put_frame(kept *k, char *to, toll_frame_id id)
{
    char place[32];
    toll_frame f = toll_profile_frame(k->p, id);
    put(to, ";");
    if (!(k->keeps & TOLL_KEEPS_SOURCE)) {
        (k->as_line ? put_as_line : put)(to, toll_label(&k->labels, id));
    } else {
        put(to, f.name);
        put(to, "@");
        put(to, f.file);
        snprintf(place, sizeof place, ":%" PRIu32, f.line);
        put(to, place);
    }
    snprintf(place, sizeof place, "#%d", k->keeps & TOLL_KEEPS_KIND ? (int)f.kind : 0);
    put(to, place);
    if (!(k->keeps & TOLL_KEEPS_PLACES))
        return;
    snprintf(place, sizeof place, "+%" PRIu32 "@%" PRIx64, f.at_line, f.at_address);
    put(to, place);
    put(to, f.at_file);
    snprintf(place, sizeof place, " %" PRIx64 " ", f.at_address ? 0 : f.address);
    put(to, place);
    put(to, f.module);
    put(to, f.build_id);
}

static void put_stack(kept *k, char *to, toll_node_id node)
{
    toll_frame_id path[256];
    size_t depth = 0;
    for (; toll_profile_node_frame(k->p, node) != TOLL_NONE;
         node = toll_profile_parent(k->p, node)) {
        if (depth == 256)
            fail("a stack is too deep for this test");
        path[depth++] = toll_profile_node_frame(k->p, node);
    }
    while (depth > 0)
        put_frame(k, to, path[--depth]);
}

static void add_line(kept *k, const char *text, int64_t value)
{
    if (k->count == k->capacity) {
        k->capacity = k->capacity ? 2 * k->capacity : 64;
        k->lines = realloc(k->lines, k->capacity * sizeof *k->lines);
        if (!k->lines)
            fail("no memory");
    }
    char *copy = malloc(strlen(text) + 1);
    if (!copy)
        fail("no memory");
    strcpy(copy, text);
    k->lines[k->count++] = (kept_line){ copy, value };
}

static toll_thread_id thread_of(const toll_profile *p, toll_node_id node)
{
    while (toll_profile_parent(p, node) != TOLL_NONE)
        node = toll_profile_parent(p, node);
    toll_thread_id t = 0;
    while (toll_profile_root(p, t) != node)
        t++;
    return t;
}

static void add_value(kept *k, toll_node_id node, uint32_t column)
{
    char text[STACK_SIZE] = "";
    int64_t value = toll_profile_self(k->p, node, column);
    if (value < 0 && !(k->keeps & TOLL_KEEPS_NEGATIVE))
        return;
    if (k->keeps & TOLL_KEEPS_THREADS)
        put(text, toll_profile_thread_title(k->p, thread_of(k->p, node)));
    if (k->keeps & TOLL_KEEPS_UNITS) {
        put(text, " | ");
        put(text, toll_profile_column(k->p, column).type);
        put(text, ", ");
        put(text, toll_profile_column(k->p, column).unit);
    }
    put(text, " | ");
    put_stack(k, text, node);
    add_line(k, text, value);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(((const kept_line *)a)->text, ((const kept_line *)b)->text);
}

/* Lines of one text are added up: what a format does not keep made them different. */
static char *text_of(kept *k)
{
    size_t size = 1, used = 0;
    for (size_t i = 0; i < k->count; i++)
        size += strlen(k->lines[i].text) + 32;
    char *text = calloc(size, 1);
    if (!text)
        fail("no memory");
    if (k->count)
        qsort(k->lines, k->count, sizeof *k->lines, compare_lines);
    for (size_t i = 0; i < k->count;) {
        size_t same = i;
        int64_t sum = 0;
        for (; same < k->count && strcmp(k->lines[same].text, k->lines[i].text) == 0; same++)
            sum += k->lines[same].value;
        if (sum)
            used += (size_t)snprintf(text + used, size - used, "%s = %" PRId64 "\n",
                                     k->lines[i].text, sum);
        i = same;
    }
    return text;
}

static uint32_t column_shown(const toll_profile *p)
{
    toll_shown shown;
    if (toll_choose_shown(p, p, NULL, NULL, &shown, NULL))
        fail("no column to show");
    return shown.column;
}

char *kept_of(const toll_profile *p, const toll_format *format)
{
    kept k = { .p = p, .keeps = format->keeps, .as_line = strcmp(format->name, "folded") == 0 };
    toll_order order;
    toll_profile *pruned, *functions = NULL, *folded = NULL;
    /* Which labels there are goes by the stacks that hold a value, and by the threads that become
     * one. */
    if (toll_profile_prune(p, &pruned, NULL))
        fail("no memory");
    p = k.p = pruned;
    /* Chosen before stacks become one, as by the writers: values of two threads may add up to 0. */
    uint32_t only = format->keeps & TOLL_KEEPS_COLUMNS ? TOLL_NONE : column_shown(p);
    if (!(format->keeps & TOLL_KEEPS_PLACES)) {
        if (toll_profile_fold_places(p, &functions, NULL))
            fail("no memory");
        p = k.p = functions;
    }
    if (!(format->keeps & TOLL_KEEPS_THREADS)) {
        if (toll_profile_fold_threads(p, &folded, NULL))
            fail("no memory");
        p = k.p = folded;
    }
    if (toll_order_create(&order, p, NULL) || toll_labels_create(&k.labels, &order, NULL))
        fail("no memory");
    for (uint32_t c = 0; c < toll_profile_column_count(p); c++)
        for (toll_node_id n = 0; (only == TOLL_NONE || c == only) && n < toll_profile_node_count(p);
             n++)
            if (toll_profile_self(p, n, c))
                add_value(&k, n, c);
    char *text = text_of(&k);
    for (size_t i = 0; i < k.count; i++)
        free(k.lines[i].text);
    free(k.lines);
    toll_labels_free(&k.labels);
    toll_order_free(&order);
    toll_profile_free(folded);
    toll_profile_free(functions);
    toll_profile_free(pruned);
    return text;
}

static int has_line(const char *text, const char *line, size_t size)
{
    for (; *text; text = strchr(text, '\n') + 1)
        if (strncmp(text, line, size) == 0)
            return 1;
    return 0;
}

/* Names may hold line ends, so a "line" here may be a part of one: good enough for people. */
static void print_missing(const char *before, const char *text, const char *in)
{
    int shown = 0;
    for (const char *end; *text && shown < 5; text = end + 1) {
        end = strchr(text, '\n');
        if (has_line(in, text, (size_t)(end - text) + 1))
            continue;
        printf("%s", before);
        for (; text < end; text++)
            printf((unsigned char)*text < ' ' || (unsigned char)*text >= 127 ? "\\x%02x" : "%c",
                   (unsigned char)*text);
        printf("\n");
        shown++;
    }
}

void print_difference(unsigned seed, const char *way, const char *wanted, const char *got)
{
    printf("FAILED: seed %u, %s: - only before, + only after\n", seed, way);
    print_missing("  - ", wanted, got);
    print_missing("  + ", got, wanted);
}
