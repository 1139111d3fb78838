/* fuzz_page_code.c - fuzzes pages, of one profile, of two, and of several in the order of time,
 * with sources and without: no name becomes markup, and every script that begins also ends. */
#include "fuzz_profile.h"

static const char *const markup[] = { "<b>", "<!--x", "</script><b>" };

/* Every fourth file has no text. */
static toll_status give_source(void *user, const char *file, const char **text, size_t *size,
                               toll_error *err)
{
    static const char source[] = "int x;\n</script><b>\n\xff\n";
    (void)user, (void)err;
    bool is_there = (*file & 3) != 0;
    *text = is_there ? source : NULL;
    *size = is_there ? sizeof source - 1 : (size_t)(*file >> 2 & 1);
    return TOLL_OK;
}

static const char *origin_of(void *user, const char *file)
{
    (void)user;
    return *file & 8 ? "app.wasm.map" : "";
}

/* `how` chooses options. */
static void hold_page(const toll_allocator *a, const toll_profile *p, const toll_profile *before,
                      size_t how)
{
    toll_output *out;
    size_t size;
    const toll_profile *between[] = { before, p };
    toll_page_sources sources = { 0 };
    toll_page_options options = { .size = sizeof options, .title = "</title><b>", .before = "<b>" };
    options.value = how % 5 ? NULL : "ticks";
    options.source = how % 3 ? give_source : NULL;
    options.source_origin = how % 2 ? origin_of : NULL;
    options.all_source = how % 3 == 2;
    options.keep_outside = how % 7 == 0;
    options.sources = &sources;
    options.between = before ? between : NULL;
    options.between_count = before ? (uint32_t)(how / 4 % 3) : 0;
    options.series = how % 8 < 4 ? "</b>" : NULL;
    fuzz_require(toll_output_to_memory(a, 0, &out, NULL) == TOLL_OK, "no output");
    toll_status status = toll_report_page(p, before, &options, out, NULL);
    fuzz_require(status == TOLL_OK || status == TOLL_E_OVERFLOW ||
                     (options.value && status == TOLL_E_NOT_FOUND),
                 "no page");
    fuzz_see_number("sources", sources.embedded);
    fuzz_see_number("sources", sources.missing);
    fuzz_see_number("sources", sources.outside);
    if (status == TOLL_OK) {
        const char *text = fuzz_text(out, &size);
        const char *header = strstr(text, "id=\"toll-header\""), *code;
        if (header && (code = strstr(header, "<script type=\"module\">")) != NULL)
            fuzz_see("page", header, (size_t)(code - header));
        for (size_t i = 0; i < sizeof markup / sizeof *markup; i++)
            fuzz_require(fuzz_count(text, size, markup[i]) == 0, "a name is markup");
        fuzz_require(fuzz_count(text, size, "<script") == fuzz_count(text, size, "</script>"),
                     "a script without its end");
        fuzz_require(fuzz_count(text, size, "</html>") == 1, "no end of the page");
    }
    toll_output_free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = (size_t)FUZZ_BUDGET * 4 };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_profile *p = fuzz_profile(&a, fuzz_part(data, size, 0, 2));
    toll_profile *before = fuzz_profile(&a, fuzz_part(data, size, 1, 2));
    hold_page(&a, p, size % 2 ? before : NULL, size);
    toll_profile_free(p);
    toll_profile_free(before);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
