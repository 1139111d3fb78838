/* page_parts.h - the text of the page of `toll view`, without the profile: cmake/page.cmake makes
 * it of the files in src/page/web. Between them are the title, the still picture and the
 * profile. Builds that do not go by cmake (toll.wasm, the Rust crate) have none: TOLL_HAVE_PAGE
 * says which have. */
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
