/* page_row.h - the format "html": the page, which can only be written. */
#ifndef TOLL_PAGE_PAGE_ROW_H
#define TOLL_PAGE_PAGE_ROW_H

#include "format/format_row.h"

toll_sniff toll_html_sniff(const uint8_t *data, size_t size);
toll_status toll_html_write(const toll_write_job *job, toll_error *err);

#endif
