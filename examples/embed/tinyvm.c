/* tinyvm.c - a virtual machine in one page, profiled with Toll: what an embedder writes is marked.
 *
 *     tinyvm                        runs the guest
 *     TOLL_OUT=out.pb.gz tinyvm     and writes what each stack cost, in executed instructions, to a
 *                                   file, in the format that its name asks for
 *
 * Build it against the installed library:
 *     cc tinyvm.c $(pkg-config --cflags --libs toll) -o tinyvm
 * or with CMake: find_package(Toll), see the CMakeLists.txt beside this. */
#include <toll/embed.h>

#include <stdio.h>

enum { PUSH, LOAD, LESS, ADD, SUB, JUMP_IF_NOT, CALL, RETURN, HALT };

typedef struct instruction {
    int op, value;
} instruction;

typedef struct function {
    const char *name;
    int line;
    const instruction *code;
    toll_embed_id toll_id; /* Toll; 0: not called yet */
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

static function functions[FUNCTION_COUNT] = {
    { "main", 1, main_code, 0 },
    { "fib", 10, fib_code, 0 },
    { "twice", 30, twice_code, 0 },
};

enum { STACK_SIZE = 256, CALL_DEPTH = 64 };

typedef struct vm {
    int stack[STACK_SIZE], top; /* operands: the guest programs above fit */
    struct {
        const instruction *resume; /* where the caller goes on */
        int argument;              /* index of the argument on the stack */
    } calls[CALL_DEPTH];
    int depth;
    uint64_t ticks;   /* instructions executed so far: what this machine charges for */
    toll_embed *toll; /* Toll; NULL: nothing is recorded */
} vm;

static const instruction *enter(vm *m, int which, const instruction *resume)
{
    function *f = &functions[which];
    if (toll_embed_is_new(m->toll, f->toll_id))                                        /* Toll */
        f->toll_id = toll_embed_add(m->toll, f->name, "demo.tiny", (uint32_t)f->line); /* Toll */
    toll_embed_call(m->toll, f->toll_id);                                              /* Toll */
    m->depth++;
    m->calls[m->depth].resume = resume;
    m->calls[m->depth].argument = m->top - 1;
    return f->code;
}

static const instruction *leave(vm *m)
{
    int result = m->stack[--m->top];
    m->stack[m->calls[m->depth].argument] = result;
    m->top = m->calls[m->depth].argument + 1;
    toll_embed_return(m->toll); /* Toll */
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

int main(void)
{
    vm m = { .top = 0 };
    toll_embed_options options = TOLL_EMBED_OPTIONS_INIT; /* Toll */
    options.counter = &m.ticks;                           /* Toll; without it: nanoseconds */
    m.toll = toll_embed_begin(&options);                  /* Toll */
    int result = run(&m);
    printf("the guest says %d, after %llu ticks\n", result, (unsigned long long)m.ticks);
    return toll_embed_end(m.toll, NULL) ? 1 : 0; /* Toll; it says what went wrong */
}
