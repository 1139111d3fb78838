/* test_native_instructions.c - the instructions of Solana's own programs have the names of their
 * enums: of each program and each Token-2022 extension the first and the last, none beyond, and the
 * discriminators that are hashes. */
#include "support.h"

#include "base/sha256.h"
#include "solana/native_instructions.h"

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

static void assert_named(const char *id, const uint8_t *data, size_t size, const char *name)
{
    toll_solana_word word = toll_native_instruction(id, strlen(id), data, size);
    if (word.size != strlen(name) || (word.size && memcmp(word.text, name, word.size) != 0))
        fail_msg("%s, %u %u: %.*s, not %s", id, data[0], size > 1 ? data[1] : 0, (int)word.size,
                 word.size ? word.text : "", name);
}

/* Numbered in 4 bytes: from 0 to `last`. */
static void test_numbers_of_four_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *id, *first;
        uint8_t last;
        const char *name;
    } programs[] = {
        { SYSTEM, "CreateAccount", 13, "CreateAccountAllowPrefund" },
        { STAKE, "Initialize", 17, "MoveLamports" },
        { VOTE, "InitializeAccount", 19, "DepositDelegatorRewards" },
        { LOOKUP, "CreateLookupTable", 4, "CloseLookupTable" },
        { LOADER_1, "Write", 1, "Finalize" },
        { LOADER_2, "Write", 1, "Finalize" },
        { LOADER_3, "InitializeBuffer", 9, "ExtendProgramChecked" },
        { LOADER_4, "Write", 6, "Finalize" },
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        uint8_t data[4] = { 0 };
        assert_named(programs[i].id, data, 4, programs[i].first);
        assert_named(programs[i].id, data, 3, "");
        data[0] = programs[i].last;
        assert_named(programs[i].id, data, 4, programs[i].name);
        data[0]++;
        assert_named(programs[i].id, data, 4, "");
        data[0] = 0;
        data[3] = 1;
        assert_named(programs[i].id, data, 4, "");
    }
}

/* Numbered in one byte; or, where `second` is not negative, in a second one. */
static void test_numbers_of_one_byte(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        int first, second;
        const char *name;
    } instructions[] = {
        { BUDGET, 0, -1, "RequestUnits" },
        { BUDGET, 4, -1, "SetLoadedAccountsDataSizeLimit" },
        { BUDGET, 5, -1, "" },
        { ASSOCIATED, 0, -1, "Create" },
        { ASSOCIATED, 2, -1, "RecoverNested" },
        { ASSOCIATED, 3, -1, "" },
        { TOKEN, 0, -1, "InitializeMint" },
        { TOKEN, 24, -1, "UiAmountToAmount" },
        { TOKEN, 25, -1, "" },
        { TOKEN, 38, -1, "WithdrawExcessLamports" },
        { TOKEN, 39, -1, "" },
        { TOKEN, 45, -1, "UnwrapLamports" },
        { TOKEN, 255, -1, "Batch" },
        { TOKEN_2022, 0, -1, "InitializeMint" },
        { TOKEN_2022, 25, -1, "InitializeMintCloseAuthority" },
        { TOKEN_2022, 26, 0, "InitializeTransferFeeConfig" },
        { TOKEN_2022, 26, 5, "SetTransferFee" },
        { TOKEN_2022, 26, 6, "" },
        { TOKEN_2022, 26, -1, "" },
        { TOKEN_2022, 27, 0, "InitializeConfidentialTransferMint" },
        { TOKEN_2022, 27, 14, "ConfigureConfidentialTransferAccountWithRegistry" },
        { TOKEN_2022, 27, 15, "" },
        { TOKEN_2022, 28, 0, "InitializeDefaultAccountState" },
        { TOKEN_2022, 28, 1, "UpdateDefaultAccountState" },
        { TOKEN_2022, 29, -1, "Reallocate" },
        { TOKEN_2022, 30, 0, "EnableMemoTransfers" },
        { TOKEN_2022, 30, 1, "DisableMemoTransfers" },
        { TOKEN_2022, 31, -1, "CreateNativeMint" },
        { TOKEN_2022, 32, -1, "InitializeNonTransferableMint" },
        { TOKEN_2022, 33, 0, "InitializeInterestBearingMint" },
        { TOKEN_2022, 33, 1, "UpdateRateInterestBearingMint" },
        { TOKEN_2022, 34, 0, "EnableCpiGuard" },
        { TOKEN_2022, 34, 1, "DisableCpiGuard" },
        { TOKEN_2022, 35, -1, "InitializePermanentDelegate" },
        { TOKEN_2022, 36, 0, "InitializeTransferHook" },
        { TOKEN_2022, 36, 1, "UpdateTransferHook" },
        { TOKEN_2022, 37, 0, "InitializeConfidentialTransferFee" },
        { TOKEN_2022, 37, 5, "DisableHarvestToMint" },
        { TOKEN_2022, 37, 6, "" },
        { TOKEN_2022, 38, -1, "WithdrawExcessLamports" },
        { TOKEN_2022, 39, 0, "InitializeMetadataPointer" },
        { TOKEN_2022, 39, 1, "UpdateMetadataPointer" },
        { TOKEN_2022, 40, 0, "InitializeGroupPointer" },
        { TOKEN_2022, 40, 1, "UpdateGroupPointer" },
        { TOKEN_2022, 41, 0, "InitializeGroupMemberPointer" },
        { TOKEN_2022, 41, 1, "UpdateGroupMemberPointer" },
        { TOKEN_2022, 42, 0, "InitializeConfidentialMintBurn" },
        { TOKEN_2022, 42, 5, "ApplyConfidentialPendingBurn" },
        { TOKEN_2022, 43, 0, "InitializeScaledUiAmountMint" },
        { TOKEN_2022, 43, 1, "UpdateMultiplierScaledUiMint" },
        { TOKEN_2022, 44, 0, "InitializePausableConfig" },
        { TOKEN_2022, 44, 2, "Resume" },
        { TOKEN_2022, 45, -1, "UnwrapLamports" },
        { TOKEN_2022, 46, 0, "InitializePermissionedBurn" },
        { TOKEN_2022, 46, 3, "PermissionedConfidentialBurn" },
        { TOKEN_2022, 255, -1, "Batch" },
    };
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        const uint8_t data[2] = { (uint8_t)instructions[i].first, (uint8_t)instructions[i].second };
        assert_named(instructions[i].id, data, instructions[i].second < 0 ? 1 : 2,
                     instructions[i].name);
    }
}

/* The interfaces' discriminators are the first 8 bytes of the SHA-256 of a name. */
static void test_discriminators(void **state)
{
    (void)state;
    static const char *const of_interfaces[][2] = {
        { "spl_token_metadata_interface:initialize_account", "InitializeTokenMetadata" },
        { "spl_token_metadata_interface:updating_field", "UpdateTokenMetadataField" },
        { "spl_token_metadata_interface:remove_key_ix", "RemoveTokenMetadataKey" },
        { "spl_token_metadata_interface:update_the_authority",
          "UpdateTokenMetadataUpdateAuthority" },
        { "spl_token_metadata_interface:emitter", "EmitTokenMetadata" },
        { "spl_token_group_interface:initialize_token_group", "InitializeTokenGroup" },
        { "spl_token_group_interface:update_group_max_size", "UpdateTokenGroupMaxSize" },
        { "spl_token_group_interface:update_authority", "UpdateTokenGroupUpdateAuthority" },
        { "spl_token_group_interface:initialize_member", "InitializeTokenGroupMember" },
    };
    for (size_t i = 0; i < sizeof of_interfaces / sizeof *of_interfaces; i++) {
        uint8_t hash[TOLL_SHA256_SIZE];
        toll_sha256(of_interfaces[i][0], strlen(of_interfaces[i][0]), hash);
        assert_named(TOKEN_2022, hash, 8, of_interfaces[i][1]);
        hash[7] ^= 1;
        assert_named(TOKEN_2022, hash, 8, "");
    }
}

/* RPC nodes call some instructions otherwise. */
static void test_types_of_parsed_instructions(void **state)
{
    (void)state;
    static const struct {
        const char *id, *type, *name;
    } types[] = {
        { SYSTEM, "advanceNonce", "AdvanceNonceAccount" },
        { SYSTEM, "withdrawFromNonce", "WithdrawNonceAccount" },
        { SYSTEM, "initializeNonce", "InitializeNonceAccount" },
        { SYSTEM, "authorizeNonce", "AuthorizeNonceAccount" },
        { SYSTEM, "upgradeNonce", "UpgradeNonceAccount" },
        { SYSTEM, "createAccount", "CreateAccount" },
        { SYSTEM, "createAccountWithSeed", "CreateAccountWithSeed" },
        { STAKE, "delegate", "DelegateStake" },
        { STAKE, "split", "Split" },
        { VOTE, "initialize", "InitializeAccount" },
        { TOKEN_2022, "transferChecked", "TransferChecked" },
        { STAKE, "advanceNonce", "" },
        { SYSTEM, "createAccoun", "" },
        { SYSTEM, "createAccountt", "" },
        { SYSTEM, "", "" },
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        toll_solana_word word = toll_native_instruction_of_type(
            types[i].id, strlen(types[i].id), types[i].type, strlen(types[i].type));
        assert_int_equal(word.size, strlen(types[i].name));
        assert_memory_equal(word.text, types[i].name, word.size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_of_four_bytes),
        cmocka_unit_test(test_numbers_of_one_byte),
        cmocka_unit_test(test_discriminators),
        cmocka_unit_test(test_types_of_parsed_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
