/* known_programs.c - see known_programs.h. */
#include "solana/known_programs.h"

#include <string.h>

/* Prices are those of the runtime "agave" 4. Stake, Config and Address Lookup Table are ordinary
 * programs there, with a `consumed` line; in logs without that line they are the built-in programs
 * of earlier runtimes. */
static const struct known_program {
    const char *id, *name;
    uint64_t price; /* 0: not known, or not built in */
} known[] = {
    { "11111111111111111111111111111111", "System Program", 150 },
    { "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "Token Program", 0 },
    { "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", "Token-2022", 0 },
    { "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", "Associated Token", 0 },
    { "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", "Memo", 0 },
    { "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo", "Memo v1", 0 },
    { "ComputeBudget111111111111111111111111111111", "Compute Budget", 150 },
    { "Stake11111111111111111111111111111111111111", "Stake", 750 },
    { "Vote111111111111111111111111111111111111111", "Vote", 2100 },
    { "Config1111111111111111111111111111111111111", "Config", 450 },
    { "BPFLoader1111111111111111111111111111111111", "BPF Loader (deprecated)", 1140 },
    { "BPFLoader2111111111111111111111111111111111", "BPF Loader (v2)", 570 },
    { "BPFLoaderUpgradeab1e11111111111111111111111", "BPF Loader (upgradeable)", 2370 },
    { "LoaderV411111111111111111111111111111111111", "Loader v4", 2000 },
    { "AddressLookupTab1e1111111111111111111111111", "Address Lookup Table", 750 },
    { "Ed25519SigVerify111111111111111111111111111", "Ed25519", 0 },
    { "KeccakSecp256k11111111111111111111111111111", "Secp256k1", 0 },
    { "Secp256r1SigVerify1111111111111111111111111", "Secp256r1", 0 },
    { "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s", "Metaplex Token Metadata", 0 },
    { "ZkE1Gama1Proof11111111111111111111111111111", "ZK ElGamal Proof", 0 },
};

static const struct known_program *find(const char *id, size_t size)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].id) == size && memcmp(known[i].id, id, size) == 0)
            return &known[i];
    return NULL;
}

const char *toll_known_program(const char *id, size_t size)
{
    const struct known_program *program = find(id, size);
    return program ? program->name : NULL;
}

uint64_t toll_program_price(const char *id, size_t size)
{
    const struct known_program *program = find(id, size);
    return program ? program->price : 0;
}
