/* vault.c - a program like those that frameworks make: it finds its account's address, checks it,
 * reads a sysvar, lets the System Program transfer into it, hashes, logs an event and returns data.
 * mixed.mjs runs it. */
typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned char u8;

typedef struct slice {
    const void *data;
    u64 size;
} slice;

typedef struct account {
    u8 *key, *owner, *data;
    u64 *lamports, *size;
    u8 is_signer, is_writable;
} account;

typedef struct meta {
    const u8 *key;
    u8 is_writable, is_signer;
} meta;

typedef struct instruction {
    const u8 *program;
    const meta *metas;
    u64 meta_count;
    const u8 *data;
    u64 size;
} instruction;

typedef struct info {
    const u8 *key;
    u64 *lamports;
    u64 size;
    u8 *data;
    const u8 *owner;
    u64 rent_epoch;
    u8 is_signer, is_writable, is_executable;
} info;

extern u64 sol_log_(const char *text, u64 size);
extern u64 sol_log_data(const slice *slices, u64 count);
extern u64 sol_try_find_program_address(const slice *seeds, u64 count, const u8 *program,
                                        u8 *address, u8 *bump);
extern u64 sol_create_program_address(const slice *seeds, u64 count, const u8 *program,
                                      u8 *address);
extern u64 sol_get_clock_sysvar(void *clock);
extern u64 sol_sha256(const slice *slices, u64 count, u8 *hash);
extern u64 sol_memcpy_(void *to, const void *from, u64 size);
extern u64 sol_memcmp_(const void *a, const void *b, u64 size, int *result);
extern u64 sol_set_return_data(const void *data, u64 size);
extern u64 sol_invoke_signed_c(const instruction *, const info *, u64 infos, const void *seeds,
                               u64 seed_count);

#define HIDDEN __attribute__((noinline)) static

HIDDEN u8 *read_account(u8 *at, account *a)
{
    a->is_signer = at[1];
    a->is_writable = at[2];
    a->key = at + 8;
    a->owner = at + 40;
    a->lamports = (u64 *)(at + 72);
    a->size = (u64 *)(at + 80);
    a->data = at + 88;
    return at + 88 + ((*a->size + 7) & ~7ull) + 10240 + 8;
}

HIDDEN u64 check_vault(const account *vault, const account *owner, const u8 *program, u8 *bump)
{
    slice seeds[2];
    u8 address[32];
    int differs = 1;
    char name[5];
    for (int i = 0; i < 5; i++)
        name[i] = "vault"[i];
    seeds[0].data = name;
    seeds[0].size = 5;
    seeds[1].data = owner->key;
    seeds[1].size = 32;
    if (sol_try_find_program_address(seeds, 2, program, address, bump))
        return 1;
    sol_memcmp_(address, vault->key, 32, &differs);
    return differs ? 2 : *bump == 0;
}

HIDDEN void set_meta(meta *m, const account *a)
{
    m->key = a->key;
    m->is_writable = a->is_writable;
    m->is_signer = a->is_signer;
}

HIDDEN void set_info(info *i, const account *a)
{
    i->key = a->key;
    i->lamports = a->lamports;
    i->size = *a->size;
    i->data = a->data;
    i->owner = a->owner;
    i->rent_epoch = 0;
    i->is_signer = a->is_signer;
    i->is_writable = a->is_writable;
    i->is_executable = 0;
}

HIDDEN u64 transfer(const account *from, const account *to, const account *system, u64 amount)
{
    u8 data[12] = { 2 };
    meta metas[2];
    info infos[3];
    instruction i;
    sol_memcpy_(data + 4, &amount, 8);
    set_meta(&metas[0], from);
    set_meta(&metas[1], to);
    set_info(&infos[0], from);
    set_info(&infos[1], to);
    set_info(&infos[2], system);
    i.program = system->key;
    i.metas = metas;
    i.meta_count = 2;
    i.data = data;
    i.size = sizeof data;
    return sol_invoke_signed_c(&i, infos, 3, 0, 0);
}

HIDDEN void emit(const account *owner, u64 amount)
{
    u64 clock[5];
    u8 event[48], hash[32];
    slice part;
    sol_get_clock_sysvar(clock);
    sol_memcpy_(event, owner->key, 32);
    sol_memcpy_(event + 32, &amount, 8);
    sol_memcpy_(event + 40, &clock[0], 8);
    part.data = event;
    part.size = sizeof event;
    sol_sha256(&part, 1, hash);
    sol_log_data(&part, 1);
    sol_set_return_data(hash, 32);
}

HIDDEN u64 deposit(u8 *input, account *accounts)
{
    u64 amount = *(u64 *)(input + 8), failed;
    u8 bump;
    sol_log_("Instruction: Deposit", 20);
    failed = check_vault(&accounts[1], &accounts[0], input + 16, &bump);
    if (!failed)
        failed = transfer(&accounts[0], &accounts[1], &accounts[2], amount);
    if (!failed)
        emit(&accounts[0], amount);
    return failed;
}

u64 entrypoint(u8 *input)
{
    account accounts[3];
    u8 *at = input + 8;
    for (int i = 0; i < 3; i++)
        at = read_account(at, &accounts[i]);
    return deposit(at, accounts);
}
