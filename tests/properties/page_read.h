/* page_read.h - reads pages of toll view, by the description in docs/page.md. */
#ifndef TOLL_TESTS_PAGE_READ_H
#define TOLL_TESTS_PAGE_READ_H

#include <stdbool.h>
#include <toll/toll.h>

enum { PAGE_MOST_COLUMNS = TOLL_MAX_COLUMNS, PAGE_TEXT_SIZE = 512 };

typedef struct page_column {
    char type[PAGE_TEXT_SIZE], unit[PAGE_TEXT_SIZE];
    int64_t sums[2];
} page_column;

/* What a page has: the profile, and in a comparison the other one as well. Whatever of it cannot
 * be read, or is not in the order that docs/page.md says, ends the program with a message. */
typedef struct page_content {
    toll_profile *sides[2]; /* [1]: the one before, or NULL */
    page_column columns[PAGE_MOST_COLUMNS];
    uint32_t column_count;
    uint32_t nodes, frames, notes;
} page_content;

void page_read(page_content *page, const char *text, size_t size);
void page_free(page_content *page);

#endif
