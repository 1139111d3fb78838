/* cmd_merge.c - toll merge: adds profiles up. */
#include "command.h"
#include "merge_files.h"

/* Refuse a sum whose values do not fit 64 bits all together, although those of each stack do: no
 * report could read it. */
static int check_sums(const toll_profile *p)
{
    for (uint32_t c = 0; c < toll_profile_column_count(p); c++) {
        uint64_t sum = 0;
        for (toll_node_id n = 0; n < toll_profile_node_count(p) && sum <= INT64_MAX; n++) {
            int64_t value = toll_profile_self(p, n, c);
            sum += value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
        }
        if (sum > INT64_MAX)
            return toll_complain(
                TOLL_EXIT_BAD_INPUT,
                "nothing was written: the sum of '%s' does not fit 64 bits, so that "
                "no report could read it; merge fewer files",
                toll_profile_column(p, c).type);
    }
    return TOLL_EXIT_OK;
}

int toll_cmd_merge(toll_settings *s, int argc, char **argv)
{
    toll_job job;
    toll_shared_budget memory;
    toll_profile *p = NULL;
    if (argc == 0 && !s->files_from)
        return toll_complain(TOLL_EXIT_USAGE, "merge: which files?");
    toll_job_begin(&job, s);
    job.keeps_labels = true;
    job.is_part = true;
    toll_job_share_memory(&job, &memory);
    int status = toll_job_check_output(&job);
    if (!status)
        status = toll_merge_files(&job, argc, argv, &p);
    if (!status)
        status = toll_job_end_sum(&job, &p);
    if (!status)
        status = check_sums(p);
    if (!status)
        status = toll_job_save(&job, p, NULL);
    toll_profile_free(p);
    return status;
}
