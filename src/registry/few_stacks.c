/* few_stacks.c - limits how many stacks are written in formats that write each stack in full. See
 * format_table.h. */
#include "profile/shown.h"
#include "registry/format_table.h"

toll_status toll_choose_few(const toll_format_row *row, const toll_format_options *options,
                            const toll_profile *p, toll_few_stacks *few, toll_error *err)
{
    toll_shown shown = { TOLL_NONE, TOLL_NONE };
    toll_status status = TOLL_OK;
    *few = (toll_few_stacks){ 0, TOLL_NONE };
    if (!row->repeats_stacks || options->flamechart || !options->most_stacks ||
        toll_profile_node_count(p) <= options->most_stacks)
        return TOLL_OK;
    if (!(row->info.keeps & TOLL_KEEPS_COLUMNS))
        status = toll_choose_shown(p, p, NULL, options->value, &shown, err);
    *few = (toll_few_stacks){ (uint32_t)options->most_stacks, shown.column };
    return status;
}

void toll_warn_few(const toll_format_options *options, const toll_small_stacks *small)
{
    char text[200];
    if (small->count == 0)
        return; /* all are outermost frames, which are kept */
    toll_format_warn(options, "%s (--keep-all keeps them)",
                     toll_small_stacks_text(small, text, sizeof text));
}
