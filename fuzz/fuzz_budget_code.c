/* fuzz_budget_code.c - fuzzes budgets: any bytes are a budget, or refused with a message that names
 * the line. A budget that was updated by a profile is read again with the same rules, and is then
 * up to date. Any name that is written into a budget is read back as the same name. */
#include "fuzz_format.h"

#include "base/text.h"
#include "gates/rules_write.h"

static toll_profile *make_profile(const toll_allocator *a)
{
    static const char folded[] = "f 7\nf;g 5\nf;g;f 3\n\"a < b\";x* 2\n";
    toll_profile *p, *labelled;
    fuzz_require(fuzz_read(a, folded, sizeof folded - 1, "folded", &p) == TOLL_OK, "no profile");
    fuzz_require(!toll_profile_with_labels(p, "test=a,test=b,host=x", &labelled, NULL),
                 "no labels");
    toll_profile_free(p);
    return labelled;
}

static toll_status read_rules(const toll_allocator *a, const void *data, size_t size,
                              toll_rules *rules, toll_error *err)
{
    toll_input *in;
    fuzz_require(!toll_input_from_memory(a, data, size, "budget", &in, NULL), "no input");
    toll_status status = toll_rules_read(rules, in, err);
    toll_input_free(in);
    return status;
}

static toll_status update(const toll_allocator *a, const toll_rules *rules, const toll_profile *p,
                          bool only_lower, toll_buffer *text, toll_rules_changes *changes)
{
    toll_output *said;
    toll_error err = { TOLL_OK, "" };
    toll_buffer_init(text, a);
    fuzz_require(!toll_output_to_memory(a, 0, &said, NULL), "no output");
    toll_status status = toll_rules_update(rules, p, only_lower, text, said, changes, &err);
    fuzz_require(!status || err.text[0], "a failure without a message");
    fuzz_see_failure(status, &err);
    fuzz_see("updated", text->data, text->size);
    if (!toll_output_commit(said, NULL))
        fuzz_see_output("said", said);
    toll_output_free(said);
    return status;
}

static void hold_update(const toll_allocator *a, const toll_rules *rules, const toll_profile *p,
                        bool only_lower)
{
    toll_buffer text, again;
    toll_rules_changes changes;
    toll_rules updated;
    if (update(a, rules, p, only_lower, &text, &changes) == TOLL_OK) {
        fuzz_require(!read_rules(a, text.data, text.size, &updated, NULL), "not read again");
        fuzz_require(updated.count + changes.removed == rules->count, "another number of rules");
        fuzz_require(!update(a, &updated, p, only_lower, &again, &changes), "not updated again");
        fuzz_require(changes.changed == 0, "changed again");
        fuzz_require(again.size == text.size &&
                         (!text.size || !memcmp(again.data, text.data, text.size)),
                     "other bytes");
        toll_buffer_free(&again);
        toll_rules_free(&updated);
    }
    toll_buffer_free(&text);
}

/* Check the input as a name. */
static void hold_name(const toll_allocator *a, const uint8_t *data, size_t size)
{
    toll_buffer text;
    toll_rules rules;
    char name[200];
    if (!size || size >= sizeof name || toll_text_check((const char *)data, size) != size)
        return;
    memcpy(name, data, size);
    name[size] = 0;
    toll_buffer_init(&text, a);
    for (int i = 0; i < 3; i++) { /* as column, function and root */
        toll_buffer_append_text(&text, i ? "  " : "");
        toll_buffer_append_text(&text, i == 2 ? "in " : "");
        toll_rules_put_name(&text, name);
    }
    toll_buffer_append_text(&text, "  <= 1");
    fuzz_require(!read_rules(a, text.data, text.size, &rules, NULL), "a name that is not read");
    fuzz_require(rules.count == 1 && rules.items[0].has_root, "another rule");
    const toll_rule *r = &rules.items[0];
    fuzz_require(!strcmp(toll_rules_text(&rules, r->column), name), "another column");
    fuzz_require(!strcmp(toll_rules_text(&rules, r->names.text), name), "another name");
    fuzz_require(!strcmp(toll_rules_text(&rules, r->roots.text), name), "another root");
    fuzz_require(r->names.kind == TOLL_NAMES_TEXT && !r->is_self, "not that name alone");
    toll_rules_free(&rules);
    toll_buffer_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_error err = { TOLL_OK, "" };
    toll_rules rules;
    toll_profile *p = make_profile(&a);
    hold_name(&a, data, size);
    toll_status status = read_rules(&a, data, size, &rules, &err);
    fuzz_see_failure(status, &err);
    if (status)
        fuzz_require(strncmp(err.text, "budget", 6) == 0, "a failure without its place");
    for (int only_lower = 0; !status && only_lower < 2; only_lower++)
        hold_update(&a, &rules, p, only_lower);
    toll_rules_free(&rules);
    toll_profile_free(p);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
