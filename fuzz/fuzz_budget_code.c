/* fuzz_budget_code.c - fuzzes budgets: any bytes are a budget, or refused with a message that names
 * the line. A budget that was updated by a profile is read again with the same rules, and is then
 * up to date. Any name that is written into a budget is read back as the same name. What the rules
 * say of a profile is written for build servers, in their formats, whatever is in the names. */
#include "fuzz_format.h"

#include "base/json_read.h"
#include "base/printable.h"
#include "base/text.h"
#include "gates/ci_reports.h"
#include "gates/rule_each.h"
#include "gates/rules_check.h"
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

/* --- files for build servers -------------------------------------------------------------------*/

/* XML: characters that it has, tags and attributes that end, and no stray < or &. */
static void hold_xml(const char *text, size_t size)
{
    bool is_tag = false, is_quoted = false;
    for (size_t at = 0; at < size;) {
        toll_character c = toll_character_at(text + at, size - at);
        fuzz_require(c.is_printable || c.code == '\n', "a character that XML has not");
        fuzz_require(c.code != 0xfffe && c.code != 0xffff, "a character that is none");
        fuzz_require(c.code != '<' || !is_tag, "a tag in a tag");
        fuzz_require(c.code != '&' || memchr(text + at, ';', size - at < 7 ? size - at : 7),
                     "an entity without an end");
        is_quoted ^= is_tag && c.code == '"';
        is_tag = c.code == '<' || (is_tag && (is_quoted || c.code != '>'));
        at += c.size;
    }
    fuzz_require(!is_tag && !is_quoted, "a tag without an end");
}

/* OpenMetrics: lines that are comments or samples, of which the last one is the end. */
static void hold_metrics(const char *text, size_t size)
{
    const char *end = text + size, *last = "";
    for (const char *line = text; line < end; line = strchr(line, '\n') + 1) {
        fuzz_require(memchr(line, '\n', (size_t)(end - line)) != NULL, "a line without an end");
        fuzz_require(!strncmp(line, "# ", 2) || !strncmp(line, "toll_", 5), "another line");
        last = line;
    }
    fuzz_require(!strncmp(last, "# EOF\n", 6), "no end");
}

static void hold_json(const toll_allocator *a, const void *data, size_t size)
{
    toll_input *in;
    toll_json json;
    toll_json_token token;
    toll_error err = { TOLL_OK, "" };
    fuzz_require(!toll_input_from_memory(a, data, size, "json", &in, NULL), "no input");
    toll_failure failure = { .err = &err };
    toll_json_begin(&json, in, &failure);
    do
        token = toll_json_next(&json);
    while (token != TOLL_JSON_END && token != TOLL_JSON_ERROR);
    fuzz_require(token == TOLL_JSON_END, "no JSON");
    toll_json_free(&json);
    toll_input_free(in);
}

static toll_output *begin(const toll_allocator *a)
{
    toll_output *out;
    fuzz_require(!toll_output_to_memory(a, 0, &out, NULL), "no output");
    return out;
}

static const char *end(toll_output *out, const char *what, size_t *size)
{
    toll_output_write(out, "", 1); /* an end, for strchr */
    fuzz_require(!toll_output_commit(out, NULL), "not written");
    fuzz_see_output(what, out);
    const char *text = toll_output_data(out, size);
    *size -= 1;
    return text;
}

static void hold_verdicts(const toll_allocator *a, const toll_rules *rules, const toll_profile *p,
                          const toll_rule_result *results, const toll_verdicts *v)
{
    size_t size;
    toll_output *out = begin(a);
    toll_verdicts_put_junit(v, out);
    const char *text = end(out, "junit", &size);
    hold_xml(text, size);
    toll_output_free(out);
    out = begin(a);
    toll_verdicts_put_openmetrics(v, out);
    text = end(out, "metrics", &size);
    hold_metrics(text, size);
    toll_output_free(out);
    out = begin(a);
    toll_verdicts_put_code_quality(v, NULL, out);
    text = end(out, "quality", &size);
    hold_json(a, text, size);
    toll_output_free(out);
    out = begin(a);
    fuzz_require(!toll_rules_json(rules, p, NULL, results, v, out, NULL), "no JSON");
    text = end(out, "json", &size);
    hold_json(a, text, size);
    toll_output_free(out);
}

static void hold_reports(const toll_allocator *a, const toll_rules *rules, const toll_profile *p)
{
    toll_rule_result *results = toll_mem_new(a, rules->count + 1, sizeof *results);
    toll_findings findings;
    toll_verdicts v;
    toll_error err = { TOLL_OK, "" };
    fuzz_require(results != NULL, "no memory");
    toll_findings_init(&findings, a);
    toll_verdicts_init(&v, a, (const char *)rules->name.data, &findings);
    if (!toll_rules_check(rules, p, NULL, results, &findings, &err)) {
        toll_rules_judge(rules, p, results, &v);
        fuzz_require(v.count == rules->count, "not a verdict for each rule");
        toll_output *out = begin(a);
        toll_rules_put(rules, p, results, out);
        toll_rules_markdown(rules, p, results, out);
        toll_findings_put(&findings, 0, out);
        size_t size;
        end(out, "tables", &size);
        toll_output_free(out);
        hold_verdicts(a, rules, p, results, &v);
    }
    toll_verdicts_free(&v);
    toll_findings_free(&findings);
    toll_mem_free(a, results, rules->count + 1, sizeof *results);
}

/* --- names -------------------------------------------------------------------------------------*/

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
    if (!status)
        hold_reports(&a, &rules, p);
    if (!status && !toll_rules_hold_each(&rules, "test,thread", NULL))
        status = toll_rules_expand(&rules, p, &err);
    if (!status)
        hold_reports(&a, &rules, p);
    toll_rules_free(&rules);
    toll_profile_free(p);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
