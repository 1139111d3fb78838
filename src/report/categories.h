/* categories.h - prints a table of functions for each folder of their sources, as Markdown. For
 * report/ only. */
#ifndef TOLL_REPORT_CATEGORIES_H
#define TOLL_REPORT_CATEGORIES_H

#include "report/functions.h"

/* A function's category is the folder below the last "src" of its file's path:
 * "src/account/load.rs" is of "account". The category of a file in "src" itself is the file's name
 * without its ending, that of any other file is "other".
 *
 * "src/lib.rs" is the baseline. The cheapest function there that calls no other is an empty one: it
 * costs what counting a call costs. The other categories show what remains of a function's total
 * without that for each of its calls. It is negative where calls cost less than the empty one.
 *
 * `options->links` goes before the path in a link to the source. Errors: TOLL_E_ARGUMENT (it is no
 * address of the web), TOLL_E_NOMEM. */
toll_status toll_report_put_categories(const toll_functions *functions,
                                       const toll_report_options *options, toll_output *out,
                                       toll_error *err);

#endif
