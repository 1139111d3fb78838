/* fuzz_svg_code.c - fuzzes pictures: whatever the names contain, the picture is well-formed XML
 * without a script. */
#include "fuzz_profile.h"

/* Read one tag, from `<` on. Returns how it changes the depth; *next is its end. */
static int read_tag(const char *at, const char *end, const char **next)
{
    char quote = 0;
    const char *c = at + 1;
    for (; c < end && (quote || *c != '>'); c++) {
        fuzz_require(*c != '<', "a tag within a tag");
        if (quote && *c == quote)
            quote = 0;
        else if (!quote && (*c == '"' || *c == '\''))
            quote = *c;
    }
    fuzz_require(c < end, "a tag without an end");
    *next = c + 1;
    if (at[1] == '?' || at[1] == '!' || c[-1] == '/')
        return 0;
    return at[1] == '/' ? -1 : 1;
}

static void require_xml(const char *text, size_t size)
{
    int depth = 0;
    const char *at = text, *end = text + size;
    while (at < end) {
        if (*at == '<') {
            depth += read_tag(at, end, &at);
            fuzz_require(depth >= 0, "an end without a begin");
            continue;
        }
        if (*at == '&')
            fuzz_require(memchr(at, ';', (size_t)(end - at)) != NULL, "a bare &");
        at++;
    }
    fuzz_require(depth == 0, "a tag that stays open");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_profile *p = fuzz_profile(&a, fuzz_part(data, size, 0, 1));
    toll_output *out = fuzz_write(&a, p, "svg");
    if (out) {
        const char *text = toll_output_data(out, &size);
        fuzz_see("svg", text, size);
        fuzz_require_printable(text, size);
        fuzz_require(fuzz_count(text, size, "<script") == 0, "a script");
        require_xml(text, size);
    }
    toll_output_free(out);
    toll_profile_free(p);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
