/* outside.h - leaves time that was spent outside of any function out of a report's shares. For
 * report/ and page/ only.
 *
 * A program that embeds a VM, such as a web server, spends most of its time in its own code and
 * waiting for requests. Shares of that whole would say little about the functions of the VM. */
#ifndef TOLL_REPORT_OUTSIDE_H
#define TOLL_REPORT_OUTSIDE_H

#include <toll/profile.h>
#include <toll/report.h>

#include <stdbool.h>

/* Replace *profile by a copy without the time outside of any function, if that is more than half of
 * it: of each value that is a time, and of the samples that were taken there. Notes have the sums.
 * *own is that copy, to be freed; NULL if nothing is left out, or if `keep` is not 0. Errors:
 * TOLL_E_NOMEM. */
toll_status toll_report_leave_outside(const toll_profile **profile, toll_profile **own, int keep,
                                      toll_error *err);

/* Put ", without 41.2 s outside", if that was left out of a value. */
void toll_report_put_left_outside(const toll_profile *profile, toll_value_type value,
                                  toll_output *out);

/* Write the note of such a sum, as "41.2 s of cpu, ...", to text[size]; false: note `i` is another
 * one. */
bool toll_report_outside_text(const toll_profile *profile, uint32_t i, char *text, size_t size);

#endif
