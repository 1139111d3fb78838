/* flame_svg.h - draws a flame graph as an SVG of some 100 KiB at most, without scripts: a format
 * that is written, and part of a page. */
#ifndef TOLL_REPORT_FLAME_SVG_H
#define TOLL_REPORT_FLAME_SVG_H

#include "format/format_row.h"

typedef struct toll_svg_options {
    const char *value; /* NULL: the default one */
    uint32_t most_boxes, most_rows;
    bool is_styled;     /* has a <style> for dark pages, where that is allowed */
    bool keeps_outside; /* as in toll_report_options */
} toll_svg_options;

/* Put the picture. Nothing is put on failure. Errors: as toll_flame_create. */
toll_status toll_svg_put(const toll_profile *profile, const toll_svg_options *options,
                         toll_output *out, toll_error *err);

toll_sniff toll_svg_sniff(const uint8_t *data, size_t size);
toll_status toll_svg_write(const toll_write_job *job, toll_error *err);

#endif
