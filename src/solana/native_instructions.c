/* native_instructions.c - see native_instructions.h.
 *
 * System, Stake, Vote, Address Lookup Table and the loaders number their instructions in 4 bytes,
 * little-endian. Compute Budget and the token programs use 1 byte, after which the instructions of
 * a Token-2022 extension have a second one. A few of Token-2022 have 8 bytes of a hash. */
#include "solana/native_instructions.h"

#include <stdbool.h>
#include <string.h>

#define SYSTEM "11111111111111111111111111111111"
#define STAKE "Stake11111111111111111111111111111111111111"
#define VOTE "Vote111111111111111111111111111111111111111"
#define BUDGET "ComputeBudget111111111111111111111111111111"
#define LOOKUP "AddressLookupTab1e1111111111111111111111111"
#define LOADER_1 "BPFLoader1111111111111111111111111111111111"
#define LOADER_2 "BPFLoader2111111111111111111111111111111111"
#define LOADER_3 "BPFLoaderUpgradeab1e11111111111111111111111"
#define LOADER_4 "LoaderV411111111111111111111111111111111111"
#define TOKEN "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
#define TOKEN_2022 "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
#define ASSOCIATED "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"
#define MEMO_1 "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"
#define MEMO_4 "Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH"
#define MEMO "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"

#define TOKEN_WORDS                                                                                \
    "InitializeMint InitializeAccount InitializeMultisig Transfer Approve Revoke SetAuthority "    \
    "MintTo Burn CloseAccount FreezeAccount ThawAccount TransferChecked ApproveChecked "           \
    "MintToChecked BurnChecked InitializeAccount2 SyncNative InitializeAccount3 "                  \
    "InitializeMultisig2 InitializeMint2 GetAccountDataSize InitializeImmutableOwner "             \
    "AmountToUiAmount UiAmountToAmount"
#define LOADER_WORDS "Write Finalize"

/* How instructions are numbered. */
typedef enum numbering {
    ONE_BYTE,
    FOUR_BYTES,
    SECOND_BYTE, /* after a first byte that is the same for the whole row */
    ALONE        /* a program with one instruction */
} numbering;

static const struct row {
    const char *id;
    numbering numbering;
    unsigned first;    /* the number of the first name; SECOND_BYTE: the first byte */
    const char *words; /* names, separated by blanks */
} rows[] = {
    { SYSTEM, FOUR_BYTES, 0,
      "CreateAccount Assign Transfer CreateAccountWithSeed AdvanceNonceAccount "
      "WithdrawNonceAccount InitializeNonceAccount AuthorizeNonceAccount Allocate AllocateWithSeed "
      "AssignWithSeed TransferWithSeed UpgradeNonceAccount CreateAccountAllowPrefund" },
    { STAKE, FOUR_BYTES, 0,
      "Initialize Authorize DelegateStake Split Withdraw Deactivate SetLockup Merge "
      "AuthorizeWithSeed InitializeChecked AuthorizeChecked AuthorizeCheckedWithSeed "
      "SetLockupChecked GetMinimumDelegation DeactivateDelinquent Redelegate MoveStake "
      "MoveLamports" },
    { VOTE, FOUR_BYTES, 0,
      "InitializeAccount Authorize Vote Withdraw UpdateValidatorIdentity UpdateCommission "
      "VoteSwitch AuthorizeChecked UpdateVoteState UpdateVoteStateSwitch AuthorizeWithSeed "
      "AuthorizeCheckedWithSeed CompactUpdateVoteState CompactUpdateVoteStateSwitch TowerSync "
      "TowerSyncSwitch InitializeAccountV2 UpdateCommissionCollector UpdateCommissionBps "
      "DepositDelegatorRewards" },
    { BUDGET, ONE_BYTE, 0,
      "RequestUnits RequestHeapFrame SetComputeUnitLimit SetComputeUnitPrice "
      "SetLoadedAccountsDataSizeLimit" },
    { LOOKUP, FOUR_BYTES, 0,
      "CreateLookupTable FreezeLookupTable ExtendLookupTable DeactivateLookupTable "
      "CloseLookupTable" },
    { LOADER_1, FOUR_BYTES, 0, LOADER_WORDS },
    { LOADER_2, FOUR_BYTES, 0, LOADER_WORDS },
    { LOADER_3, FOUR_BYTES, 0,
      "InitializeBuffer Write DeployWithMaxDataLen Upgrade SetAuthority Close ExtendProgram "
      "SetAuthorityChecked Migrate ExtendProgramChecked" },
    { LOADER_4, FOUR_BYTES, 0,
      "Write Copy SetProgramLength Deploy Retract TransferAuthority Finalize" },
    { ASSOCIATED, ONE_BYTE, 0, "Create CreateIdempotent RecoverNested" },
    { MEMO_1, ALONE, 0, "AddMemo" },
    { MEMO, ALONE, 0, "AddMemo" },
    { MEMO_4, ALONE, 0, "AddMemo" },
    { TOKEN, ONE_BYTE, 0, TOKEN_WORDS },
    { TOKEN, ONE_BYTE, 38, "WithdrawExcessLamports" },
    { TOKEN, ONE_BYTE, 45, "UnwrapLamports" },
    { TOKEN, ONE_BYTE, 255, "Batch" },
    { TOKEN_2022, ONE_BYTE, 0, TOKEN_WORDS " InitializeMintCloseAuthority" },
    { TOKEN_2022, SECOND_BYTE, 26,
      "InitializeTransferFeeConfig TransferCheckedWithFee WithdrawWithheldTokensFromMint "
      "WithdrawWithheldTokensFromAccounts HarvestWithheldTokensToMint SetTransferFee" },
    { TOKEN_2022, SECOND_BYTE, 27,
      "InitializeConfidentialTransferMint UpdateConfidentialTransferMint "
      "ConfigureConfidentialTransferAccount ApproveConfidentialTransferAccount "
      "EmptyConfidentialTransferAccount ConfidentialDeposit ConfidentialWithdraw "
      "ConfidentialTransfer ApplyConfidentialPendingBalance EnableConfidentialCredits "
      "DisableConfidentialCredits EnableNonConfidentialCredits DisableNonConfidentialCredits "
      "ConfidentialTransferWithFee ConfigureConfidentialTransferAccountWithRegistry" },
    { TOKEN_2022, SECOND_BYTE, 28, "InitializeDefaultAccountState UpdateDefaultAccountState" },
    { TOKEN_2022, ONE_BYTE, 29, "Reallocate" },
    { TOKEN_2022, SECOND_BYTE, 30, "EnableMemoTransfers DisableMemoTransfers" },
    { TOKEN_2022, ONE_BYTE, 31, "CreateNativeMint InitializeNonTransferableMint" },
    { TOKEN_2022, SECOND_BYTE, 33, "InitializeInterestBearingMint UpdateRateInterestBearingMint" },
    { TOKEN_2022, SECOND_BYTE, 34, "EnableCpiGuard DisableCpiGuard" },
    { TOKEN_2022, ONE_BYTE, 35, "InitializePermanentDelegate" },
    { TOKEN_2022, SECOND_BYTE, 36, "InitializeTransferHook UpdateTransferHook" },
    { TOKEN_2022, SECOND_BYTE, 37,
      "InitializeConfidentialTransferFee WithdrawWithheldTokensFromMintForConfidentialTransferFee "
      "WithdrawWithheldTokensFromAccountsForConfidentialTransferFee "
      "HarvestWithheldTokensToMintForConfidentialTransferFee EnableHarvestToMint "
      "DisableHarvestToMint" },
    { TOKEN_2022, ONE_BYTE, 38, "WithdrawExcessLamports" },
    { TOKEN_2022, SECOND_BYTE, 39, "InitializeMetadataPointer UpdateMetadataPointer" },
    { TOKEN_2022, SECOND_BYTE, 40, "InitializeGroupPointer UpdateGroupPointer" },
    { TOKEN_2022, SECOND_BYTE, 41, "InitializeGroupMemberPointer UpdateGroupMemberPointer" },
    { TOKEN_2022, SECOND_BYTE, 42,
      "InitializeConfidentialMintBurn RotateSupplyElgamalPubkey "
      "UpdateConfidentialMintBurnDecryptableSupply ConfidentialMint ConfidentialBurn "
      "ApplyConfidentialPendingBurn" },
    { TOKEN_2022, SECOND_BYTE, 43, "InitializeScaledUiAmountMint UpdateMultiplierScaledUiMint" },
    { TOKEN_2022, SECOND_BYTE, 44, "InitializePausableConfig Pause Resume" },
    { TOKEN_2022, ONE_BYTE, 45, "UnwrapLamports" },
    { TOKEN_2022, SECOND_BYTE, 46,
      "InitializePermissionedBurn PermissionedBurn PermissionedBurnChecked "
      "PermissionedConfidentialBurn" },
    { TOKEN_2022, ONE_BYTE, 255, "Batch" },
};

/* Token-2022: the interfaces for metadata and groups. */
static const struct hashed {
    uint8_t bytes[8];
    const char *name;
} hashed[] = {
    { { 0xd2, 0xe1, 0x1e, 0xa2, 0x58, 0xb8, 0x4d, 0x8d }, "InitializeTokenMetadata" },
    { { 0xdd, 0xe9, 0x31, 0x2d, 0xb5, 0xca, 0xdc, 0xc8 }, "UpdateTokenMetadataField" },
    { { 0xea, 0x12, 0x20, 0x38, 0x59, 0x8d, 0x25, 0xb5 }, "RemoveTokenMetadataKey" },
    { { 0xd7, 0xe4, 0xa6, 0xe4, 0x54, 0x64, 0x56, 0x7b }, "UpdateTokenMetadataUpdateAuthority" },
    { { 0xfa, 0xa6, 0xb4, 0xfa, 0x0d, 0x0c, 0xb8, 0x46 }, "EmitTokenMetadata" },
    { { 0x79, 0x71, 0x6c, 0x27, 0x36, 0x33, 0x00, 0x04 }, "InitializeTokenGroup" },
    { { 0x6c, 0x25, 0xab, 0x8f, 0xf8, 0x1e, 0x12, 0x6e }, "UpdateTokenGroupMaxSize" },
    { { 0xa1, 0x69, 0x58, 0x01, 0xed, 0xdd, 0xd8, 0xcb }, "UpdateTokenGroupUpdateAuthority" },
    { { 0x98, 0x20, 0xde, 0xb0, 0xdf, 0xed, 0x74, 0x86 }, "InitializeTokenGroupMember" },
};

/* Names for which RPC nodes use another name. */
static const struct alias {
    const char *id, *type, *name;
} aliases[] = {
    { SYSTEM, "advanceNonce", "AdvanceNonceAccount" },
    { SYSTEM, "withdrawFromNonce", "WithdrawNonceAccount" },
    { SYSTEM, "initializeNonce", "InitializeNonceAccount" },
    { SYSTEM, "authorizeNonce", "AuthorizeNonceAccount" },
    { SYSTEM, "upgradeNonce", "UpgradeNonceAccount" },
    { STAKE, "delegate", "DelegateStake" },
    { VOTE, "initialize", "InitializeAccount" },
};

static bool is_text(const char *text, const char *other, size_t size)
{
    return strlen(text) == size && memcmp(text, other, size) == 0;
}

static toll_solana_word whole(const char *name)
{
    return (toll_solana_word){ name, strlen(name) };
}

/* The next word of *words, which then points after it; size 0: no more words. */
static toll_solana_word next_word(const char **words)
{
    toll_solana_word word = { *words, strcspn(*words, " ") };
    *words += word.size;
    *words += **words == ' ';
    return word;
}

static toll_solana_word word_at(const char *words, uint32_t i)
{
    toll_solana_word word = next_word(&words);
    while (i-- > 0 && word.size)
        word = next_word(&words);
    return word;
}

/* Is the data an instruction of the row? Then *word is the index of its name. */
static bool is_in_row(const struct row *row, const uint8_t *data, size_t size, uint32_t *word)
{
    uint32_t number = size ? data[0] : 0; /* the first instruction of Associated Token once had no
                                           * data */
    *word = 0;
    switch (row->numbering) {
    case ALONE: return true;
    case SECOND_BYTE: *word = size > 1 ? data[1] : 0; return size > 1 && number == row->first;
    case FOUR_BYTES:
        if (size < 4)
            return false;
        number |= (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
        break;
    case ONE_BYTE:
        if (size == 0 && strcmp(row->id, ASSOCIATED) != 0)
            return false;
        break;
    }
    *word = number - row->first;
    return number >= row->first;
}

toll_solana_word toll_native_instruction(const char *id, size_t id_size, const uint8_t *data,
                                         size_t size)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t place;
        if (!is_text(rows[i].id, id, id_size) || !is_in_row(&rows[i], data, size, &place))
            continue;
        toll_solana_word word = word_at(rows[i].words, place);
        if (word.size)
            return word;
    }
    bool may_be_hashed = size >= sizeof hashed->bytes && is_text(TOKEN_2022, id, id_size);
    for (size_t i = 0; may_be_hashed && i < sizeof hashed / sizeof *hashed; i++)
        if (memcmp(hashed[i].bytes, data, sizeof hashed->bytes) == 0)
            return whole(hashed[i].name);
    return (toll_solana_word){ "", 0 };
}

static bool is_same_letter(char a, char b)
{
    return (a | 0x20) == (b | 0x20);
}

static bool is_type(toll_solana_word word, const char *type, size_t size)
{
    size_t i = 0;
    while (i < size && word.size == size && is_same_letter(word.text[i], type[i]))
        i++;
    return i == size && word.size == size;
}

toll_solana_word toll_native_instruction_of_type(const char *id, size_t id_size, const char *type,
                                                 size_t size)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (is_text(aliases[i].id, id, id_size) && is_text(aliases[i].type, type, size))
            return whole(aliases[i].name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *words = rows[i].words;
        toll_solana_word word = { "", 0 };
        while (is_text(rows[i].id, id, id_size) && (word = next_word(&words)).size)
            if (is_type(word, type, size))
                return word;
    }
    return (toll_solana_word){ "", 0 };
}
