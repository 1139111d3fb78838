/* tinyvm.c - a virtual machine in one page, profiled with Toll: what an embedder writes is marked.
 *
 *     tinyvm             prints what each stack cost, in executed instructions, as folded lines
 *     tinyvm out.pb.gz   writes it to a file, in the format that the name asks for
 *
 * Build it against the installed library:
 *     cc tinyvm.c $(pkg-config --cflags --libs toll) -o tinyvm
 * or with CMake: find_package(Toll), see the CMakeLists.txt beside this. */
#include <toll/toll.h>

#include <stdio.h>

enum { PUSH, LOAD, LESS, ADD, SUB, JUMP_IF_NOT, CALL, RETURN, HALT };

typedef struct instruction {
    int op, value;
} instruction;

typedef struct function {
    const char *name;
    int line;
    const instruction *code;
} function;

enum { MAIN, FIB, TWICE, FUNCTION_COUNT };

static const instruction main_code[] = {
    { PUSH, 6 }, { CALL, FIB }, { PUSH, 7 }, { CALL, TWICE }, { ADD, 0 }, { HALT, 0 },
};
static const instruction fib_code[] = {
    { LOAD, 0 }, { PUSH, 2 },   { LESS, 0 }, { JUMP_IF_NOT, 6 }, { LOAD, 0 }, { RETURN, 0 },
    { LOAD, 0 }, { PUSH, 1 },   { SUB, 0 },  { CALL, FIB },      { LOAD, 0 }, { PUSH, 2 },
    { SUB, 0 },  { CALL, FIB }, { ADD, 0 },  { RETURN, 0 },
};
static const instruction twice_code[] = { { LOAD, 0 }, { LOAD, 0 }, { ADD, 0 }, { RETURN, 0 } };

static const function functions[FUNCTION_COUNT] = {
    { "main", 1, main_code },
    { "fib", 10, fib_code },
    { "twice", 30, twice_code },
};

enum { STACK_SIZE = 256, CALL_DEPTH = 64 };

typedef struct vm {
    int stack[STACK_SIZE], top; /* operands: the guest programs above fit */
    struct {
        const instruction *resume; /* where the caller goes on */
        int argument;              /* index of the argument on the stack */
    } calls[CALL_DEPTH];
    int depth;
    uint64_t ticks; /* instructions executed so far: what this machine charges for */

    toll_recorder *recorder;              /* Toll */
    toll_frame_id frames[FUNCTION_COUNT]; /* Toll */
} vm;

static const instruction *enter(vm *m, int which, const instruction *resume)
{
    toll_recorder_call(m->recorder, m->frames[which], &m->ticks); /* Toll */
    m->depth++;
    m->calls[m->depth].resume = resume;
    m->calls[m->depth].argument = m->top - 1;
    return functions[which].code;
}

static const instruction *leave(vm *m)
{
    int result = m->stack[--m->top];
    m->stack[m->calls[m->depth].argument] = result;
    m->top = m->calls[m->depth].argument + 1;
    toll_recorder_return(m->recorder, &m->ticks); /* Toll */
    return m->calls[m->depth--].resume;
}

static int run(vm *m)
{
    const instruction *at = enter(m, MAIN, NULL);
    int *s = m->stack;
    for (;;) {
        const instruction *in = at++;
        m->ticks++;
        switch (in->op) {
        case PUSH: s[m->top++] = in->value; break;
        case LOAD: s[m->top++] = s[m->calls[m->depth].argument]; break;
        case LESS:
            m->top--;
            s[m->top - 1] = s[m->top - 1] < s[m->top];
            break;
        case ADD:
            m->top--;
            s[m->top - 1] += s[m->top];
            break;
        case SUB:
            m->top--;
            s[m->top - 1] -= s[m->top];
            break;
        case JUMP_IF_NOT:
            if (!s[--m->top])
                at = functions[FIB].code + in->value;
            break;
        case CALL: at = enter(m, in->value, at); break;
        case RETURN: at = leave(m); break;
        default: return s[m->top - 1];
        }
    }
}

/* Toll: once, before the guest runs. */
static toll_status attach(vm *m, toll_error *err)
{
    static const toll_counter ticks = { "ticks", "count", 0 };
    toll_recorder_options options = { .size = sizeof options,
                                      .counters = &ticks,
                                      .counter_count = 1 };
    toll_status status = toll_recorder_create(&options, &m->recorder, err);
    for (int i = 0; !status && i < FUNCTION_COUNT; i++) {
        toll_frame frame = { .name = functions[i].name,
                             .file = "demo.tiny",
                             .line = (uint32_t)functions[i].line };
        status = toll_recorder_add_frame(m->recorder, &frame, &m->frames[i], err);
    }
    return status;
}

/* Toll: when the guest has ended. "-" as a path is standard output. */
static toll_status save(vm *m, const char *path, const char *format, toll_error *err)
{
    toll_profile *profile;
    toll_recorder_stop(m->recorder, &m->ticks);
    toll_status status = toll_recorder_snapshot(m->recorder, NULL, &profile, err);
    if (status)
        return status;
    status = toll_profile_save_as(profile, NULL, path, format, NULL, err);
    toll_profile_free(profile);
    return status;
}

int main(int argc, char **argv)
{
    vm m = { .top = 0 };
    toll_error err;
    toll_status status = attach(&m, &err);
    if (!status) {
        int result = run(&m);
        fprintf(stderr, "the guest says %d, after %llu ticks\n", result,
                (unsigned long long)m.ticks);
        status = save(&m, argc > 1 ? argv[1] : "-", argc > 1 ? NULL : "folded", &err);
    }
    if (status)
        fprintf(stderr, "tinyvm: %s\n", err.text);
    toll_recorder_free(m.recorder);
    return status ? 1 : 0;
}
