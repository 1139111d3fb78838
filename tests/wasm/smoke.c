/* smoke.c - the core as WebAssembly: records the worked example, writes it in several formats and
 * reads those again. */
#include <toll/toll.h>

#include <stdio.h>

static toll_status write_to(const toll_profile *p, const char *format, toll_output **out,
                            toll_error *err)
{
    toll_format_options ticks = { .size = sizeof ticks, .value = "ticks" };
    toll_status status = toll_output_to_memory(NULL, 0, out, err);
    if (!status)
        status = toll_profile_write(p, NULL, format, &ticks, *out, err);
    return status ? status : toll_output_commit(*out, err);
}

static int show(const toll_profile *p, const char *format)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    size_t size;
    if (write_to(p, format, &out, &err)) {
        puts(err.text);
        return 1;
    }
    const char *text = toll_output_data(out, &size);
    printf("%.*s", (int)size, text);
    toll_output_free(out);
    return 0;
}

/* Written, read and shown again it says the same. */
static int reads_back(const toll_profile *p, const char *format)
{
    toll_output *out;
    toll_input *in;
    toll_profile *q;
    toll_error err = { TOLL_OK, "" };
    size_t size;
    if (write_to(p, format, &out, &err)) {
        puts(err.text);
        return 1;
    }
    const void *bytes = toll_output_data(out, &size);
    if (toll_input_from_memory(NULL, bytes, size, format, &in, &err) ||
        toll_profile_read(in, NULL, NULL, NULL, &q, &err)) {
        puts(err.text);
        return 1;
    }
    printf("%s:\n", format);
    int failed = show(q, "folded");
    toll_profile_free(q);
    toll_input_free(in);
    toll_output_free(out);
    return failed;
}

int main(void)
{
    static const toll_counter ticks = { "ticks", "count", 0 };
    toll_recorder_options o = { .size = sizeof o, .counters = &ticks, .counter_count = 1 };
    toll_recorder *r;
    toll_profile *p;
    toll_frame_id f, g;
    toll_error err = { TOLL_OK, "" };
    if (toll_recorder_create(&o, &r, &err) ||
        toll_recorder_add_frame(r, &(toll_frame){ .name = "f" }, &f, &err) ||
        toll_recorder_add_frame(r, &(toll_frame){ .name = "g" }, &g, &err)) {
        puts(err.text);
        return 1;
    }
    toll_recorder_call(r, f, &(uint64_t){ 0 });
    toll_recorder_call(r, g, &(uint64_t){ 10 });
    toll_recorder_return(r, &(uint64_t){ 30 });
    toll_recorder_stop(r, &(uint64_t){ 100 });
    if (toll_recorder_snapshot(r, NULL, &p, &err)) {
        puts(err.text);
        return 1;
    }
    int failed = show(p, "folded") || reads_back(p, "pprof") || reads_back(p, "speedscope");
    toll_profile_free(p);
    toll_recorder_free(r);
    return failed;
}
