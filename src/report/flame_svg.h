/* flame_svg.h - a flame graph as a small picture, as a format that is written. */
#ifndef TOLL_REPORT_FLAME_SVG_H
#define TOLL_REPORT_FLAME_SVG_H

#include "format/format_row.h"

toll_sniff toll_svg_sniff(const uint8_t *data, size_t size);
toll_status toll_svg_write(const toll_write_job *job, toll_error *err);

#endif
