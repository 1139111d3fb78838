/* code_quality.c - writes verdicts as GitLab's code quality report, and errors as JSON. See
 * ci_reports.h. */
#include "gates/ci_reports.h"

#include "base/fingerprint.h"
#include "base/json_write.h"

#include <inttypes.h>
#include <string.h>

static const char *message_of(const toll_verdicts *v, const toll_verdict *item)
{
    return toll_finding_line(v->findings, &v->findings->items[item->finding], 0);
}

/* The same from run to run, whatever the values are: so an issue is known to be an old one. */
static void put_fingerprint(const toll_verdicts *v, const toll_verdict *item, toll_output *out)
{
    char suite[TOLL_FINGERPRINT_SIZE], name[TOLL_FINGERPRINT_SIZE];
    toll_fingerprint(v->suite, strlen(v->suite), suite);
    toll_fingerprint(item->name, strlen(item->name), name);
    toll_output_printf(out, "\"%s%s\"", suite, name);
}

static void put_location(const toll_verdicts *v, const toll_verdict *item, const char *workspace,
                         toll_output *out)
{
    const toll_finding *finding = &v->findings->items[item->finding];
    const char *path = toll_finding_path(v->findings, finding, workspace);
    bool is_inside = *path && *path != '/' && strncmp(path, "../", 3) != 0 && finding->line;
    uint32_t line = is_inside ? finding->line : item->line;
    toll_json_put_text(out, "\"location\":{\"path\":");
    toll_json_put_string(out, is_inside ? path : toll_path_within(workspace, v->suite));
    toll_output_printf(out, ",\"lines\":{\"begin\":%" PRIu32 "}}", line ? line : 1);
}

void toll_verdicts_put_code_quality(const toll_verdicts *v, const char *workspace, toll_output *out)
{
    const char *before = "[\n";
    for (size_t i = 0; i < v->count; i++) {
        const toll_verdict *item = &v->items[i];
        if (item->finding == TOLL_NO_FINDING)
            continue;
        toll_output_printf(out, "%s{\"description\":", before);
        toll_json_put_string(out, message_of(v, item));
        toll_json_put_text(out, ",\"check_name\":");
        toll_json_put_string(out, item->name);
        toll_json_put_text(out, ",\"fingerprint\":");
        put_fingerprint(v, item, out);
        toll_output_printf(out, ",\"severity\":\"%s\",",
                           item->state == TOLL_VERDICT_ERROR ? "blocker" : "major");
        put_location(v, item, workspace, out);
        toll_json_put_text(out, "}");
        before = ",\n";
    }
    toll_json_put_text(out, *before == '[' ? "[]\n" : "\n]\n");
}

void toll_verdicts_put_error_json(const toll_verdicts *v, toll_output *out)
{
    toll_json_put_text(out, "{\"budget\":");
    toll_json_put_string(out, v->suite);
    toll_output_printf(out, ",\"exit_status\":%d,\"message\":", v->exit_status);
    toll_json_put_string(out, message_of(v, &v->items[0]));
    toll_json_put_text(out, "}\n");
}
