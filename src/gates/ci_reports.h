/* ci_reports.h - writes verdicts in the formats that CI systems read. All text is data: in each
 * format any name is written so that it stays one name. */
#ifndef TOLL_GATES_CI_REPORTS_H
#define TOLL_GATES_CI_REPORTS_H

#include "gates/verdicts.h"

/* JUnit's XML, as Jenkins and GitLab read it: one suite, with a test case for each verdict. */
void toll_verdicts_put_junit(const toll_verdicts *verdicts, toll_output *out);

/* OpenMetrics: gauges with the labels suite, name, type and unit. */
void toll_verdicts_put_openmetrics(const toll_verdicts *verdicts, toll_output *out);

/* GitLab's code quality: an issue for each failure, at the function that is to blame if its file is
 * inside `workspace` (NULL: the current folder), otherwise in the suite's file. */
void toll_verdicts_put_code_quality(const toll_verdicts *verdicts, const char *workspace,
                                    toll_output *out);

/* Measurements of CTest: the value of each verdict, which CTest takes from a test's output. */
void toll_verdicts_put_ctest(const toll_verdicts *verdicts, toll_output *out);

/* The error of the list that has no other verdict, as the JSON of toll check. */
void toll_verdicts_put_error_json(const toll_verdicts *verdicts, toll_output *out);

#endif
