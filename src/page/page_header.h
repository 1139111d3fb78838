/* page_header.h - writes the header of a page: JSON with everything whose size does not grow with
 * the profile. For the page's files alone. */
#ifndef TOLL_PAGE_PAGE_HEADER_H
#define TOLL_PAGE_PAGE_HEADER_H

#include "page/page_blocks.h"

#include <toll/report.h>

/* Write the header, after all blocks were counted. Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_page_write_header(toll_page_tables *tables, const toll_page_options *options,
                                   const toll_block_info *blocks, uint32_t block_count,
                                   toll_output *out, toll_error *err);

#endif
