/* known_programs.c - see known_programs.h.
 *
 * Addresses are facts that each came from at least one published list. The letters behind a row say
 * which: e the Solana Explorer's names of programs (solana-labs/explorer and
 * solana-foundation/explorer, app/utils/programs.ts and its decoders), c the decoders of
 * sevenlabs-hq/carbon, d the constants of cxcx-ai/solana-dex-parser, p in several independent
 * public repositories. All are deployments on mainnet. */
#include "solana/known_programs.h"

#include <string.h>

/* Programs of the runtime, and those of the Solana Program Library that most transactions use.
 * Prices are those of the runtime "agave" 4. There, Stake, Config and Address Lookup Table are
 * ordinary programs with a `consumed` line; logs without that line come from earlier runtimes,
 * where they are built in. */
static const struct known_program {
    const char *id, *name;
    uint64_t price; /* 0: not known, or not built in */
} native[] = {
    { "11111111111111111111111111111111", "System", 150 },
    { "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "Token", 0 },
    { "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", "Token-2022", 0 },
    { "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", "Associated Token", 0 },
    { "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", "Memo", 0 },
    { "Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH", "Memo v4", 0 },
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
    { "ZkE1Gama1Proof11111111111111111111111111111", "ZK ElGamal Proof", 0 },
    { "Feature111111111111111111111111111111111111", "Feature Gate", 0 },
};

static const struct other_program {
    const char *id, *name;
} others[] = {
    /* Jupiter */
    { "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4", "Jupiter" },                /* c d */
    { "JUP4Fb2cqiRUcaTHdrPC8h2gNsA2ETXiPDD33WcGuJB", "Jupiter v4" },             /* d */
    { "JUP2jxvXaqu7NQY1GmNF4m1vodw12LVXYxbFL2uJvfo", "Jupiter v2" },             /* d */
    { "DCA265Vj8a9CEuX1eb1LWRnDT7uK6q1xMipnNyatn23M", "Jupiter DCA" },           /* c d */
    { "jupoNjAxXgZ4rjzxzPMP4oxduvQsQtZzyknqvzYNrNu", "Jupiter Limit Order" },    /* c d */
    { "j1o2qRpjcyUwEvwtcfhEQefh773ZgjxcVRry7LDqg5X", "Jupiter Limit Order v2" }, /* c d */
    { "VALaaymxQh2mNy2trH9jUqHT1mTow76wpTcGmSWSwJe", "Jupiter Value Average" },  /* d */
    { "PERPHjGBqRHArX4DySjwM6UJHiR3sWAatqfdBS2qQJu", "Jupiter Perpetuals" },     /* c */
    { "jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC", "Jupiter Lend" },           /* c */
    /* Raydium */
    { "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8", "Raydium AMM v4" },            /* e c d */
    { "CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK", "Raydium CLMM" },              /* c d */
    { "CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C", "Raydium CPMM" },              /* c d */
    { "LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj", "Raydium LaunchLab" },          /* c d */
    { "routeUGWgWzqBWFcrCfv8tritsqukccJPu3q5GPP3xS", "Raydium Route" },              /* d */
    { "5quBtoiQqxF9Jv6KYKctB59NT3gtJD2Y65kdnB1Uev3h", "Raydium Stable Swap" },       /* c d */
    { "LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE", "Raydium Liquidity Locking" },  /* c */
    { "27haf8L6oxUeXrHrgEgsexjSY5hbVUWEmvv9Nyxg8vQv", "Raydium Liquidity Pool v2" }, /* e */
    { "RVKd61ztZW9GUwhRbbLoYVRE5Xf1B2tVscKqwZqXgEr", "Raydium Liquidity Pool v1" },  /* e */
    { "EhhTKczWMGQt46ynNeRX1WfeagwwJd7ufHvCDjRxjo5Q", "Raydium Staking" },           /* e */
    { "9HzJyW1qZsEiSfMUf6L2jo3CcTKAyBmSyKdwQeYisHrC", "Raydium IDO" },               /* e */
    /* Orca */
    { "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc", "Orca Whirlpool" }, /* c d */
    { "9W959DqEETiGZocYWCQPaJ6sBmUzgfxXfqGeTEdp3aQP", "Orca Swap v2" },  /* e d */
    { "DjVE6JNiYqPL2QXyCUUh8rNjHrbz9hXHNYt99MQ59qw1", "Orca Swap v1" },  /* e d */
    { "82yxjeMsvaURa4MbZZ7WZZHfobirZYkH1zF8fmeGtyaQ", "Orca Aquafarm" }, /* e */
    { "waveQX2yP3H1pVU8djGvEHmYg8uamQ84AuyGtpsrXTF", "Orca Wavebreak" }, /* c */
    /* Meteora */
    { "LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo", "Meteora DLMM" },          /* c d */
    { "Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB", "Meteora DAMM v1" },      /* c d */
    { "cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG", "Meteora DAMM v2" },       /* c d */
    { "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN", "Meteora DBC" },           /* c d */
    { "24Uqj9JCLxUeoC3hGfh5W3s9FM9uCHDS2SG3LYwBpyTi", "Meteora Vault" },        /* c d */
    { "MERLuDFBMmsHnsBPZw2sDQZHvXFMwp8EdjudcU2HKky", "Mercurial Stable Swap" }, /* e d */
    /* launchpads */
    { "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P", "Pump" },      /* c d */
    { "pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA", "Pump AMM" },  /* c d */
    { "pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ", "Pump Fees" }, /* c */
    { "MoonCVVNZFSYkqNXP6bxHLPL6QQJiMagDL3qcqUQTrG", "Moonit" },    /* c d */
    { "boop8hVGQGqehUK2iVEMEnMrL5RbjywRzHKBmBE7ry4", "Boop" },      /* c d */
    { "HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o", "Heaven" },   /* c d */
    { "5U3EU2ubXtK84QcRjWVmYt9RaDyA8gKxdUrPFXmZyaki", "Virtuals" }, /* c */
    { "vrTGoBuy5rYSxAfV3jaRJWHH6nN9WK4NRExGxsk1bCJ", "Vertigo" },   /* c */
    { "deus4Bvftd5QKcEkE5muQaWGWDoma8GrySvPFrBPjhS", "Sugar" },     /* d */
    /* exchanges */
    { "PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY", "Phoenix" },               /* c d */
    { "srAMMzfVHVAtgSJc8iH6CfKzuWuUTzLHVCE81QU1rgi", "Gavel" },                 /* c */
    { "opnb2LAfJYbRMAHHvqjCwQxanZn7ReEHp1k81EohpZb", "OpenBook v2" },           /* c d */
    { "srmqPvymJeFKQ4zGQed1GFppgkRHL9kaELCbyksJtPX", "OpenBook" },              /* e */
    { "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin", "Serum DEX v3" },         /* e d */
    { "EUqojwWA2rd19FZrzeBncJsm38Jm1hEhE3zsmX3bRc2o", "Serum DEX v2" },         /* e */
    { "BJ3jrUzddfuSrZHXSCxMUUQsjKEyLmuuyZebkcaFp2fg", "Serum DEX v1" },         /* e */
    { "22Y43yTVxuUkoRKdm9thyRhQ3SdgQS7c7kB6UNCiaczD", "Serum Swap" },           /* e */
    { "WvmTNLpGMVbwJVYztYL4Hnsy82cJhQorxjnnXcRm3b6", "Serum Pool" },            /* e */
    { "2wT8Yq49kHgDzXuPxZSaeLaH1qbmGXtEyPy64bL7aD3c", "Lifinity v2" },          /* c d */
    { "EewxydAPCCVuNEyrVN68PuSYdQ7wKn27V9Gjeoi8dy3S", "Lifinity" },             /* d */
    { "FLUXubRmkEi2q6K3Y9kBPg9248ggaZVsoSFhtJHSrm1X", "FluxBeam" },             /* c */
    { "BSwp6bEBihVLdqJRKGgzjcGLHkcTuzmSo1TQkHepzH8p", "BonkSwap" },             /* c */
    { "swapNyd8XiQwJ6ianp9snpu4brUqFxadzvHebnAXjJZ", "Stabble Stable Swap" },   /* c d */
    { "swapFpHZwjELNnjvThjajtiVmkz3yPQEHjLtka2fwHW", "Stabble Weighted Swap" }, /* c d */
    { "vo1tWgqZMjG61Z2T9qUaMYKqZ75CYzMuaZ2LZP1n7HV", "Stabble Vault" },         /* d */
    { "HpNfyc2Saw7RKkQd8nEL4khUcuPhQ7WwY1B2qjx8jxFq", "PancakeSwap" },          /* c */
    { "SoLFiHG9TfgtdUXUjWAxi3LtvYuFyDLVhBWxdMZxyCe", "SolFi" },                 /* d */
    { "ZERor4xhbUycZ6gb9ntrhqscUcZmAbQDjEAtCf4hbZY", "ZeroFi" },                /* d */
    { "AMM55ShdkoGRB5jVYPjWziwk8m5MpwyDgsMWHaMSQWH6", "Aldrin" },               /* d */
    { "CURVGoZn8zycx6FXwwevgBTB2gVvdbGTEpvMJDbgs2t4", "Aldrin v2" },            /* d */
    { "CLMM9tUoggJu2wagPkkqs9eFG4BWhVBZWkP1qv3Sp7tR", "Crema" },                /* d */
    { "GAMMA7meSFWaBXF25oSUgmGRwaW6sCMFLmBNiMSdbHVT", "GooseFX GAMMA" },        /* d */
    { "DEXYosS6oEGvk8uCDayvwEZz4qEyDJRf9nFgYCaqPMTm", "1Dex" },                 /* d */
    { "SSwapUtytfBdBn1b9NUGG6foMVPtcWgpRU32HToDUZr", "Saros" },                 /* d */
    { "SSwpkEEcbUqx4vtoEByFjSkhKdCT862DNVb52nZg1UZ", "Saber Stable Swap" },     /* e d */
    { "Crt7UoUR6QgrFrN7j8rmSQpUTNWNSitSwWvsWGf1qZ5t", "Saber Router" },         /* e */
    { "SSwpMgqNDsyV7mAgN9ady4bDVu5ySjmmXejXvy2vLt1", "Step Finance Swap" },     /* e */
    { "SWiMDJYFUGj6cPrQ6QYYYWZtvXQdRChSVAygDZDsCHC", "Swim Swap" },             /* e */
    { "Dooar9JkhdZ7J3LHN3A7YCuoGRUggXhQaG4kijfLGU2j", "STEPN DEX" },            /* e */
    { "6m2CDdhRgxpH4WjvdzxAYbGxwdGUz5MziiL5jek2kBma", "OKX DEX" },              /* c d */
    { "proVF4pMXVaYqmy4NjniPh4pqKNfMmsihgd4wdkCX3u", "OKX DEX v2" },            /* c */
    { "DF1ow4tspfHX9JwWJsAb9epbkA8hmpSEAtxXy1V27QBH", "DFlow Aggregator" },     /* c */
    { "MaestroAAe9ge5HTc64VbBQZ6fP77pwvrhM8i1XWSAx", "Maestro" },               /* d */
    { "BANANAjs7FJiPQqJTGFzkZJndT9o7UmKiYYGaJz6frGu", "Banana Gun" },           /* d */
    { "b1oomGGqPKGD6errbyfbVMBuzSC8WtAAYo8MwNafWW1", "Bloom" },                 /* d */
    { "NoVA1TmDUqksaj2hB1nayFkPysjJbFiU76dT4qPw2wm", "Nova" },                  /* d */
    { "BSfD6SHZigAfDWSjzD5Q41jw8LmKwtmjskPH9XW1mrRW", "Photon" },               /* d */
    /* perpetuals, loans */
    { "dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH", "Drift" },              /* c */
    { "ZETAxsqBRek56DhiGXrn75yj2NHU3aYUnxvHXpkf3aD", "Zeta" },               /* c */
    { "4MangoMjqJ2firMokCjjGgoK8d4MXcrgL7XJaL3w6fVg", "Mango v4" },          /* p */
    { "mv3ekLzLbnVPNxjSKvqBpU3ZeZXPQdEC3bp5MDEBG68", "Mango v3" },           /* e */
    { "5fNfvyp5czQVX77yoACa3JJVEhdRaWjPuazuWgjhTqEH", "Mango v2" },          /* e */
    { "JD3bq9hGdy38PuWQ4h2YJpELmHVGPPfFSuFkpzAd9zfu", "Mango v1" },          /* e */
    { "KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD", "Kamino Lending" },     /* c */
    { "kvauTFR8qm1dhniz6pYuBZkuene3Hfrs1VQhVRgCNrr", "Kamino Vault" },       /* c */
    { "FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr", "Kamino Farms" },      /* c */
    { "LiMoM9rMhrdYrfzUCxQppvxCSG1FcrUK9G8uLq4A1GF", "Kamino Limit Order" }, /* c */
    { "MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA", "Marginfi v2" },        /* c */
    { "So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo", "Solend" },             /* e */
    { "Port7uDYB3wk6GJAw4KT1WpTeMtSu9bTcChBHkX2LfR", "Port Finance" },       /* e */
    { "LendZqTs7gn5CTSJU1jWKhKuVpjJGom45nnwPb2AMTi", "SPL Lending" },        /* e */
    { "SHARKobtfF1bHhxD2eqftjHBdVSCbKo9JtgK71FhELP", "Sharky" },             /* c */
    { "C64kTdg1Hzv5KoQmZrQRcm2Qz7PkxtFBgw7EpFhvYn8W", "Acumen" },            /* e */
    /* stake */
    { "MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD", "Marinade" },            /* e c */
    { "SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy", "SPL Stake Pool" },      /* e */
    { "CrX7kMhLC3cSsXJdT7JDgqrRVWGnUpX3gfEfxxU2NVLi", "Lido for Solana" },    /* e */
    { "stkitrT1Uoy18Dk1fTrgPw8W6MVzoCfYoAFT4MLsmhq", "Sanctum Router" },      /* d */
    { "sSo1iU21jBrU9VaJ8PJib1MtorefUV4fzC9GURa2KNn", "Solayer Restaking" },   /* c */
    { "QMNeHCGYnLVDn1icRAfQZpjPLBNkfGbSKRB83G5d8KB", "Quarry Mine" },         /* e */
    { "QMMD16kjauP5knBwxNUJRZ1Z5o3deBuFrqVjBVmmqto", "Quarry Merge Mine" },   /* e */
    { "QMWoBmAyJLAsA1Lh9ugMTw2gciTihncciphzdNzdZYV", "Quarry Mint Wrapper" }, /* e */
    { "QRDxhMw1P2NEfiw5mYXG79bwfgHTdasY2xNP76XSea9", "Quarry Redeemer" },     /* e */
    { "QREGBnEj9Sa5uR91AV8u3FxThgP5ZCvdZUW2bHAkfNc", "Quarry Registry" },     /* e */
    { "oreV2ZymfyeXgNgBdqMkumTqqAprVqgBWQfoYkrtKWQ", "ORE" },                 /* e */
    /* NFTs */
    { "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s", "Metaplex Token Metadata" }, /* e c */
    { "CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d", "Metaplex Core" },          /* c */
    { "BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY", "Bubblegum" },              /* c */
    { "cndy3Z4yapfJBmL3ShUp5exZKqR3z33thTzeNMm2gRZ", "Candy Machine v2" },        /* e */
    { "cndyAnrLdpjq1Ssp1z8xxDsB8dxe7u4HL5Nxi2K5WXZ", "Candy Machine" },           /* e */
    { "auctxRXPeJoc4817jDhf4HbjnhEcr1cCXenosMhK5R8", "Metaplex Auction" },        /* e */
    { "p1exdMJcjVao65QdewkaZRUnU6VPSXhus9n2GzWfh98", "Metaplex" },                /* e */
    { "vau1zxA2LbssAUEF7Gpw91zMM1LvXrvpzJtmZ58rPsn", "Metaplex Token Vault" },    /* e */
    { "TSWAPaqyCSx2KABk68Shruf4rp7CxcNi8hAsbdwmHbN", "Tensor Swap" },             /* p */
    { "TCMPhJdwDryooaGtiocG1u3xcYbRpiJzb283XfCZsDp", "Tensor cNFT" },             /* p */
    { "M2mx93ekt1fmXSVkTrUL9xVFHkmME8HTUi5Cyc5aF7K", "Magic Eden v2" },           /* p */
    { "MEisE1HzehtrDpAAT8PnLHjpSSkRYakotTuJRPjTpo8", "Magic Eden" },              /* p */
    { "CJsLwbP1iu5DuUikHEJnLfANgKy6stB2uFgvBBHoyxwz", "Solanart" },               /* e */
    { "5ZfZAwP2m93waazg8DkrrVmsupeiPEvaEHowiUP7UAbJ", "Solanart Global Offers" }, /* e */
    /* bridges, oracles */
    { "worm2ZoG2kUd4vFXhvjh93UUH596ayRfgQ2MgjNMTth", "Wormhole Core Bridge" },           /* e */
    { "wormDTUJ6AWPNvk59vGQbDvGJmqbDTdgWgAqcLBCgUb", "Wormhole Token Bridge" },          /* e */
    { "WnFt12ZrnzZrFZkt2xsNsaNWoQribnuQ5B5FrDbwDhD", "Wormhole NFT Bridge" },            /* e */
    { "WormT3McKhFJ2RkiGpdw9GKvNCrB2aB54gb2uV9MfQC", "Wormhole" },                       /* e */
    { "CCTPV2Sm4AdWt5296sk4P66VBZ7bEhcARwFaaS9YPbeC", "Circle Message Transmitter v2" }, /* c */
    { "CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe", "Circle Token Messenger v2" },     /* c */
    { "FsJ3A3u2vn5cTVofAjvy6y5kwABJAqYWpe4975bi2epH", "Pyth" },                          /* e */
    { "rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ", "Pyth Receiver" },                  /* p */
    { "pythWSnswVUd12oZpeFP8e9CVaEqJg25g1Vtc2biRsT", "Pyth Push Oracle" },               /* p */
    { "DtmE9D2CSB4L5D6A15mraeEjrGMm6auWVzgaD8hK2tZM", "Switchboard" },                   /* e */
    { "SBondMDrcV3K4kxZR1HNVT7osZxAHVHgYXL5Ze1oMUv", "Switchboard On-Demand" },          /* p */
    { "HEvSKofvBgfaexv23kMabbYqxasxU3mQ4ibBMEmJWHny", "Chainlink Store" },               /* e */
    { "cjg3oHmg9uuPsP8D6g29NWvhySJkdYdAo9D25PRbKXJ", "Chainlink OCR2" },                 /* e */
    { "Gt9S41PtjR58CbG9JhJ3J6vxesqrNAswbWYbLNTMZA3c", "Chainlink Data Streams" },        /* e */
    { "VRFzZoJdhFWL8rkvu87LpKM3RbcVezpMEc6X5GVDr7y", "ORAO VRF v2" },                    /* e */
    /* accounts, governance, compression, tools */
    { "SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf", "Squads v4" },                   /* p */
    { "SMPLecH534NA9acpos4G6x7uf3LWbCAwZQE9e8ZekMu", "Squads v3" },                   /* p */
    { "swigypWHEksbC64pWKwah1WTeh9JXwx8H1rJHLdbQMB", "Swig" },                        /* c */
    { "GovER5Lthms3bLBqWub97yVrMmEogzX7xNjdXpPPCVZw", "SPL Governance" },             /* p */
    { "GqTPL6qRf5aUuqscLh8Rg2HTxPUXfhhAXDptTLhp1t2J", "Mango Governance" },           /* e */
    { "cmtDvXumGCrqC1Age74AVPhSRVXJMd8PJS91L8KbNCK", "Account Compression" },         /* e */
    { "noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV", "Noop" },                        /* p */
    { "SySTEM1eSU2p4BGQfQpimFEWWSC1XDFeun3Nqzz3rT7", "Light System" },                /* e */
    { "cTokenmWW8bLPjZEBAUgYy3zKxQZW6VKi7bqNFEVv3m", "Light Token" },                 /* e */
    { "compr6CUsB5m2jS4Y3831ztGSTnDpnKJTKS95d64XVq", "Light Account Compression" },   /* e */
    { "namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX", "SPL Name Service" },            /* e c */
    { "SwaPpA9LAaLfeLi3a68M4DjnLqgtticKg6CnyNwgAC8", "SPL Token Swap" },              /* e */
    { "Feat1YXHhH6t1juaWF74WLcfv4XoNocjXA6sPWHNgAse", "SPL Feature Proposal" },       /* e */
    { "22zoJMtdu4tQc2PzL74ZUT7FrwgB1Udec8DdW4yw4BdG", "Solana Attestation Service" }, /* e */
    { "ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S", "Program Metadata" },            /* e */
    { "De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44", "Subscriptions" },              /* e */
    { "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95", "Lighthouse" },                  /* e */
    { "CLoCKyJ6DXBJqqu2VWx9RLbgnwwR6BMHHuyasVmfMzBh", "Clockwork Thread v2" },        /* e */
    { "3XXuUFfweXBwFgFfYaejLvZE4cGZiHgKiGfMtdxNzYmv", "Clockwork Thread v1" },        /* e */
    { "BrEAK7zGZ6dM71zUDACDqJnekihmwF15noTddWTsknjC", "Break Solana" },               /* e */
};

static const struct known_program *find_native(const char *id, size_t size)
{
    for (size_t i = 0; i < sizeof native / sizeof *native; i++)
        if (strlen(native[i].id) == size && memcmp(native[i].id, id, size) == 0)
            return &native[i];
    return NULL;
}

const char *toll_known_program(const char *id, size_t size)
{
    const struct known_program *program = find_native(id, size);
    if (program)
        return program->name;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i].id) == size && memcmp(others[i].id, id, size) == 0)
            return others[i].name;
    return NULL;
}

const char *toll_known_program_at(unsigned i, const char **name)
{
    const unsigned natives = sizeof native / sizeof *native;
    if (i >= natives + sizeof others / sizeof *others)
        return NULL;
    *name = i < natives ? native[i].name : others[i - natives].name;
    return i < natives ? native[i].id : others[i - natives].id;
}

uint64_t toll_program_price(const char *id, size_t size)
{
    const struct known_program *program = find_native(id, size);
    return program ? program->price : 0;
}
