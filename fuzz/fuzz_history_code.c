/* fuzz_history_code.c - fuzzes histories: any profile with any comment is opened as one; if it is
 * one, commits are added to it. Each comes back with its sums, blame's changes add up to them, and
 * the last one stays when the others are added up. */
#include "fuzz_profile.h"

#include "gates/exact.h"
#include "gates/history.h"

/* The text "history: ..." with what the bytes say. */
static void make_comment(fuzz_bytes *b, char text[64])
{
    size_t used = (size_t)snprintf(text, 64, "history:");
    for (unsigned n = fuzz_byte(b) % 40; n > 0; n--) {
        unsigned c = fuzz_byte(b);
        text[used++] = (char)(c % 4 == 0 ? ' ' : 'a' + c % 3);
    }
    text[used] = 0;
}

/* The sum of the columns that a history keeps; false: it does not fit. */
static bool exact_sum(const toll_profile *p, int64_t *sum)
{
    for (uint32_t c = 0; c < toll_profile_column_count(p); c++)
        for (toll_node_id n = 0; n < toll_profile_node_count(p); n++)
            if (!toll_is_time(toll_profile_column(p, c)) &&
                __builtin_add_overflow(*sum, toll_profile_self(p, n, c), sum))
                return false;
    return true;
}

static void hold_last(const toll_history *h, const toll_profile *added)
{
    toll_profile *p;
    int64_t wanted = 0, sum = 0;
    toll_status status = toll_history_at(h, toll_history_count(h) - 1, &p, NULL);
    fuzz_require(status == TOLL_OK || status == TOLL_E_OVERFLOW, "the commit does not come back");
    if (!status && exact_sum(added, &wanted))
        fuzz_require(exact_sum(p, &sum) && sum == wanted, "another sum");
    toll_profile_free(p);
}

static void see_rows(const toll_history *h, const char *name, const toll_history_rows *rows,
                     toll_value_type type)
{
    toll_output *out;
    size_t size;
    fuzz_require(!toll_output_to_memory(&h->mem, 0, &out, NULL), "no output");
    toll_history_put(h, name, rows, type, 0, out);
    toll_history_put(h, name, rows, type, 1, out);
    toll_history_json(h, name, rows, type, out);
    const char *text = fuzz_text(out, &size);
    fuzz_require_printable(text, size);
    fuzz_see_output("rows", out);
    toll_output_free(out);
}

static void see_changed(const toll_history *h)
{
    enum { MOST = 8 };
    bool changed[MOST];
    if (toll_history_count(h) <= MOST && !toll_history_changed(h, NULL, changed, NULL))
        for (uint32_t i = 0; i < toll_history_count(h); i++)
            fuzz_see_number("changed", changed[i]);
}

static void hold_blame(const toll_history *h)
{
    toll_history_rows rows;
    toll_value_type type;
    int64_t total = 0;
    if (toll_history_blame(h, NULL, NULL, &rows, &type, NULL) == TOLL_OK)
        for (size_t i = 0; i < rows.count; i++) {
            total += rows.items[i].total_by;
            fuzz_require(total == rows.items[i].total, "changes do not add up");
        }
    if (rows.count)
        see_rows(h, NULL, &rows, type);
    see_changed(h);
    toll_history_rows_free(&rows);
    if (toll_history_blame(h, "f", NULL, &rows, &type, NULL) == TOLL_OK && rows.count)
        fuzz_require(rows.items[rows.count - 1].commit < toll_history_count(h), "no such commit");
    if (rows.count)
        see_rows(h, "f", &rows, type);
    toll_history_rows_free(&rows);
}

/* Add two commits, and keep the last one. */
static void extend(toll_history *h, const toll_profile *p, const toll_profile *q)
{
    if (toll_history_add(h, p, "first", NULL) || toll_history_add(h, q, "second", NULL))
        return;
    hold_last(h, q);
    hold_blame(h);
    if (toll_history_prune(h, 1, NULL))
        return;
    fuzz_require(toll_history_count(h) == 1 && toll_history_find(h, "second") == 0, "not pruned");
    hold_last(h, q);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    fuzz_bytes comment = fuzz_part(data, size, 0, 4);
    toll_profile *p = fuzz_profile(&a, fuzz_part(data, size, 1, 4));
    toll_profile *q = fuzz_profile(&a, fuzz_part(data, size, 2, 4));
    toll_profile *whole = fuzz_profile(&a, fuzz_part(data, size, 3, 4));
    toll_history h;
    char text[64];
    make_comment(&comment, text);
    fuzz_require(toll_profile_add_comment(whole, text, NULL) == TOLL_OK, "no comment");
    if (toll_history_open(&h, whole, NULL) == TOLL_OK) {
        hold_blame(&h);
        extend(&h, p, q);
    }
    toll_history_free(&h);
    if (toll_history_create(&h, &a, NULL) == TOLL_OK)
        extend(&h, p, q);
    toll_history_free(&h);
    toll_profile_free(p);
    toll_profile_free(q);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
