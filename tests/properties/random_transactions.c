/* random_transactions.c FIRST COUNT - random transactions of Solana's programs, read from their
 * logs and from their register traces: the sum of each profile, and of each transaction in it, is
 * what was charged, as integers. So it is where lines of the logs are missing or have other
 * numbers, unless a note says that less was charged than they add up to. */
#include "random_chain.h"
#include "random_profile.h"

#include "../unit/support_folder.h"
#include "solana/solana_charge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
    unsigned seed, failed;
    uint64_t profiles, refused, less;
} tally;

static bool fails(tally *t, const char *what, const char *detail)
{
    printf("FAILED: seed %u, %s: %s\n", t->seed, what, detail);
    t->failed++;
    return false;
}

/* --- sums --------------------------------------------------------------------------------------*/

static uint32_t units_column(const toll_profile *p)
{
    uint32_t c = 0;
    while (c < toll_profile_column_count(p) && strcmp(toll_profile_column(p, c).unit, "CU") != 0)
        c++;
    return c;
}

static int64_t total(const toll_profile *p)
{
    int64_t sum = 0;
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++)
        sum += toll_profile_self(p, n, units_column(p));
    return sum;
}

/* The units below the outermost frame of that name. */
static int64_t total_of(const toll_profile *p, const char *name)
{
    toll_node_id root = toll_profile_root(p, 0);
    int64_t sum = 0;
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++) {
        toll_node_id at = n;
        while (at != root && toll_profile_parent(p, at) != root)
            at = toll_profile_parent(p, at);
        if (at != root &&
            strcmp(toll_profile_frame(p, toll_profile_node_frame(p, at)).name, name) == 0)
            sum += toll_profile_self(p, n, units_column(p));
    }
    return sum;
}

static bool has_note(const toll_profile *p, const char *text)
{
    uint64_t count;
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++)
        if (strcmp(toll_profile_note(p, i, &count), text) == 0)
            return true;
    return false;
}

/* --- reading -----------------------------------------------------------------------------------*/

static void save(const char *name, const toll_buffer *text)
{
    FILE *f = fopen(test_path(name), "wb");
    if (!f || fwrite(text->data, 1, text->size, f) != text->size || fclose(f) != 0) {
        perror(test_path(name));
        exit(2);
    }
}

static toll_status load(const char *logs, bool traces, bool by_transaction, toll_profile **out,
                        toll_error *err)
{
    char path[256];
    snprintf(path, sizeof path, "%s", test_path(logs));
    const toll_solana_options solana = { .size = sizeof solana,
                                         .logs = traces ? path : NULL,
                                         .by_transaction = by_transaction };
    const toll_reader_options reader = { "solana", &solana, NULL };
    const toll_format_options options = { .size = sizeof options,
                                          .readers = &reader,
                                          .reader_count = 1 };
    return toll_profile_load(NULL, traces ? test_folder : path, traces ? "sbf-trace" : "solana",
                             &options, NULL, out, err);
}

static bool is_sound(tally *t, const char *what, const toll_profile *p)
{
    toll_error err = { TOLL_OK, "" };
    t->profiles++;
    return toll_profile_check(p, 0, &err) == TOLL_OK || fails(t, what, err.text);
}

static bool compare(tally *t, const char *what, int64_t got, int64_t wanted)
{
    char text[80];
    snprintf(text, sizeof text, "%" PRId64 " units, not %" PRId64, got, wanted);
    return got == wanted || fails(t, what, text);
}

static int64_t charged(const chain *c)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < c->count; i++)
        sum += c->transactions[i].charged;
    return sum;
}

static void check_whole(tally *t, const chain *c, const char *logs, bool traces)
{
    char what[80];
    toll_profile *p;
    toll_error err = { TOLL_OK, "" };
    for (int by_transaction = 0; by_transaction <= 1; by_transaction++) {
        snprintf(what, sizeof what, "%s%s%s", logs, traces ? ", traces" : "",
                 by_transaction ? ", by transaction" : "");
        if (load(logs, traces, by_transaction, &p, &err)) {
            fails(t, what, err.text);
            continue;
        }
        bool good = is_sound(t, what, p) && compare(t, what, total(p), charged(c));
        for (unsigned i = 0; good && by_transaction && i < c->count; i++)
            good =
                compare(t, what, total_of(p, c->transactions[i].name), c->transactions[i].charged);
        toll_profile_free(p);
    }
}

/* A damaged log is refused, or the sum is right, or a note says that it is not. */
static void check_damaged(tally *t, const chain *c, bool traces)
{
    const char *what = traces ? "damaged, traces" : "damaged";
    toll_profile *p;
    toll_error err = { TOLL_OK, "" };
    if (load("damaged.json", traces, false, &p, &err)) {
        t->refused++;
        return;
    }
    bool is_less = has_note(p, SOLANA_TEXT_LESS);
    t->less += is_less;
    if (is_sound(t, what, p) && !is_less)
        compare(t, what, total(p), charged(c));
    else if (is_less && total(p) < charged(c))
        compare(t, what, total(p), charged(c));
    toll_profile_free(p);
}

static void check(tally *t)
{
    const toll_mem mem = toll_mem_from(NULL);
    toll_buffer json, text, damaged;
    chain c;
    chain_run(&c, t->seed, test_folder);
    toll_buffer_init(&json, &mem);
    toll_buffer_init(&text, &mem);
    toll_buffer_init(&damaged, &mem);
    chain_append_json(&c, false, &json);
    chain_append_text(&c, &text);
    chain_append_json(&c, true, &damaged);
    save("logs.json", &json);
    save("logs.txt", &text);
    save("damaged.json", &damaged);
    for (int traces = 0; traces <= (c.traces > 0); traces++) { /* if a program ran */
        check_whole(t, &c, "logs.json", traces);
        check_whole(t, &c, "logs.txt", traces);
        check_damaged(t, &c, traces);
    }
    toll_buffer_free(&json);
    toll_buffer_free(&text);
    toll_buffer_free(&damaged);
    chain_free(&c);
}

int main(int argc, char **argv)
{
    unsigned first = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
    unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 100;
    tally t = { .seed = first };
    for (; t.seed - first < count && t.failed < 5; t.seed++) {
        if (test_make_folder(NULL)) {
            perror("a folder for traces");
            return 2;
        }
        check(&t);
        test_remove_folder(NULL);
    }
    printf("transactions %u to %u: %" PRIu64 " profiles, %" PRIu64 " damaged logs refused, %" PRIu64
           " that add up to more than was charged, %u failed\n",
           first, first + count - 1, t.profiles, t.refused, t.less, t.failed);
    return t.failed > 0;
}
