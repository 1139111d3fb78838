/* fuzz_page_code.c - fuzzes pages, of one profile and of two: no name becomes markup, and every
 * script that begins also ends. */
#include "fuzz_profile.h"

static const char *const markup[] = { "<b>", "<!--x", "</script><b>" };

static void hold_page(const toll_allocator *a, const toll_profile *p, const toll_profile *before)
{
    toll_output *out;
    size_t size;
    toll_page_options options = { .size = sizeof options, .title = "</title><b>", .before = "<b>" };
    fuzz_require(toll_output_to_memory(a, 0, &out, NULL) == TOLL_OK, "no output");
    toll_status status = toll_report_page(p, before, &options, out, NULL);
    fuzz_require(status == TOLL_OK || status == TOLL_E_OVERFLOW, "no page");
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
    hold_page(&a, p, size % 2 ? before : NULL);
    toll_profile_free(p);
    toll_profile_free(before);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
