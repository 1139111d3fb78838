/* smoke.c - the core as WebAssembly: records the worked example and writes it to memory. */
#include <toll/toll.h>

#include <stdio.h>

int main(void)
{
    static const toll_counter ticks = { "ticks", "count", 0 };
    toll_recorder_options o = { .counters = &ticks, .counter_count = 1 };
    toll_recorder *r;
    toll_profile *p;
    toll_frame_id f, g;
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    size_t size;
    if (toll_recorder_create(&o, &r, &err) ||
        toll_recorder_frame(r, &(toll_frame){ "f", NULL, 0, 0 }, &f, &err) ||
        toll_recorder_frame(r, &(toll_frame){ "g", NULL, 0, 0 }, &g, &err)) {
        puts(err.text);
        return 1;
    }
    toll_recorder_call(r, f, &(uint64_t){ 0 });
    toll_recorder_call(r, g, &(uint64_t){ 10 });
    toll_recorder_return(r, &(uint64_t){ 30 });
    toll_recorder_stop(r, &(uint64_t){ 100 });
    if (toll_recorder_snapshot(r, NULL, &p, &err) ||
        toll_output_to_memory(NULL, 0, &out, &err) ||
        toll_profile_write(p, NULL, "folded", &(toll_format_options){ .value = "ticks" }, out,
                           &err) ||
        toll_output_commit(out, &err)) {
        puts(err.text);
        return 1;
    }
    const char *text = toll_output_data(out, &size);
    printf("%.*s", (int)size, text);
    toll_output_free(out);
    toll_profile_free(p);
    toll_recorder_free(r);
    return 0;
}
