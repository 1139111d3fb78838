/* embed.c - a virtual machine of your own, profiled: the five calls in a whole program.
 *
 * The machine runs a tiny bytecode and pays one tick an instruction. Build:
 *     cc embed.c $(pkg-config --cflags --libs toll) -o embed */
#include <stdio.h>
#include <toll/toll.h>

enum { ADD, CALL, RETURN };
typedef struct instruction {
    int op, argument;
} instruction;

static const instruction square[] = { { ADD, 0 }, { ADD, 0 }, { RETURN, 0 } };
static const instruction twice[] = { { CALL, 0 }, { CALL, 0 }, { RETURN, 0 } };
static const struct {
    const char *name;
    const instruction *code;
} functions[] = { { "square", square }, { "twice", twice } };

static uint64_t ticks;
static toll_frame_id frames[2];

static void run(toll_recorder *recorder, int function)
{
    toll_recorder_call(recorder, frames[function], &ticks);
    for (const instruction *i = functions[function].code;; i++) {
        ticks++;
        if (i->op == CALL)
            run(recorder, i->argument);
        if (i->op == RETURN)
            break;
    }
    toll_recorder_return(recorder, &ticks);
}

int main(void)
{
    toll_counter counter = { "ticks", "count", 0 };
    toll_recorder_options options = { .counters = &counter, .counter_count = 1 };
    toll_recorder *recorder;
    toll_profile *profile;
    toll_error err;
    if (toll_recorder_create(&options, &recorder, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    for (int i = 0; i < 2; i++)
        if (toll_recorder_frame(recorder, &(toll_frame){ .name = functions[i].name }, &frames[i], &err))
            return fprintf(stderr, "%s\n", err.text), 1;
    run(recorder, 1);
    if (toll_recorder_snapshot(recorder, NULL, &profile, &err) ||
        toll_profile_save(profile, NULL, "-", "folded", NULL, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    toll_profile_free(profile);
    toll_recorder_free(recorder);
    return 0;
}
