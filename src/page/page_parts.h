/* page_parts.h - the text of the page of `toll view`, without the profile. cmake/page.cmake makes
 * it from the files in src/page/web. The title, the still picture and the profile are inserted
 * between the parts. Builds without cmake (toll.wasm, the Rust crate) do not have the page: see
 * TOLL_HAVE_PAGE. */
#ifndef TOLL_PAGE_PAGE_PARTS_H
#define TOLL_PAGE_PAGE_PARTS_H

#include <stddef.h>

typedef struct toll_page_part {
    const unsigned char *text;
    size_t size;
} toll_page_part;

typedef struct toll_page_parts {
    toll_page_part head, to_still, to_data, tail;
} toll_page_parts;

#if TOLL_HAVE_PAGE
extern const toll_page_parts toll_page_text;
#endif

#endif
