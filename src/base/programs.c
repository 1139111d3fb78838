/* programs.c - see programs.h. */
#include "base/programs.h"

#include <string.h>

static const struct {
    const char *id, *name;
} known[] = {
    { "11111111111111111111111111111111", "System Program" },
    { "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "Token Program" },
    { "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", "Token-2022" },
    { "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", "Associated Token" },
    { "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", "Memo" },
    { "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo", "Memo v1" },
    { "ComputeBudget111111111111111111111111111111", "Compute Budget" },
    { "Stake11111111111111111111111111111111111111", "Stake" },
    { "Vote111111111111111111111111111111111111111", "Vote" },
    { "Config1111111111111111111111111111111111111", "Config" },
    { "BPFLoader1111111111111111111111111111111111", "BPF Loader (deprecated)" },
    { "BPFLoader2111111111111111111111111111111111", "BPF Loader (v2)" },
    { "BPFLoaderUpgradeab1e11111111111111111111111", "BPF Loader (upgradeable)" },
    { "LoaderV411111111111111111111111111111111111", "Loader v4" },
    { "AddressLookupTab1e1111111111111111111111111", "Address Lookup Table" },
    { "Ed25519SigVerify111111111111111111111111111", "Ed25519" },
    { "KeccakSecp256k11111111111111111111111111111", "Secp256k1" },
    { "Secp256r1SigVerify1111111111111111111111111", "Secp256r1" },
    { "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s", "Metaplex Token Metadata" },
    { "ZkE1Gama1Proof11111111111111111111111111111", "ZK ElGamal Proof" },
};

const char *toll_known_program(const char *id, size_t size)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].id) == size && memcmp(known[i].id, id, size) == 0)
            return known[i].name;
    return NULL;
}
