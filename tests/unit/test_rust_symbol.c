/* test_rust_symbol.c - demangle/rust_symbol.h: symbols of both forms are demangled. Most are from
 * small programs compiled by rustc. */
#include "support.h"

#include "demangle/punycode.h"
#include "demangle/rust_symbol.h"

static const struct {
    const char *symbol, *name;
} legacy[] = {
    { "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write" },
    { "_ZN4core3fmt5write17h0123456789abcdefE.llvm.1234", "core::fmt::write" },
    { "_ZN5alloc3vec12Vec$LT$T$GT$4push17h0123456789abcdefE", "alloc::vec::Vec<T>::push" },
    { "_ZN60_$LT$alloc..string..String$u20$as$u20$core..fmt..Display$GT$3fmt17h0123456789abcdefE",
      "<alloc::string::String as core::fmt::Display>::fmt" },
    { "_ZN5tuple40$LP$i32$C$$RF$$u5b$u8$u5d$$C$$BP$mut$RP$1f17h0123456789abcdefE",
      "tuple::(i32,&[u8],*mut)::f" },
    { "_ZN1l13gr$uf6$$udf$e9l$ue4$nge17h5847a34fae423d8aE", "l::gr\u00f6\u00dfe::l\u00e4nge" },
    { "_ZN4main10a$unknown$17h0123456789abcdefE", "main::a$unknown$" },
    { "_ZN4main3a.b17h0123456789abcdefE", "main::a.b" },
};

static const struct {
    const char *symbol, *name;
} v0[] = {
    { "_RNvCs1234_7mycrate3foo", "mycrate::foo" },
    { "_RNvNtCsgEmfK2I1SDS_4core3fmt5write.llvm.1234", "core::fmt::write" },
    { "_RNvMsa_NtCsgEmfK2I1SDS_4core3fmtNtB5_9Formatter10debug_list",
      "<core::fmt::Formatter>::debug_list" },
    { "_RNvXs1g_NtCsgEmfK2I1SDS_4core3fmtReNtB6_5Debug3fmtCsgY6Mt91CT9J_14rustc_demangle",
      "<&str as core::fmt::Debug>::fmt" },
    { "_RNvNCNKNvNvMNtNtCsjrHSEGnQ3l9_3std4hash6randomNtBa_11RandomState3new4KEYS0s_023___RUST_STD_"
      "INTERNAL_VAL",
      "<std::hash::random::RandomState>::new::KEYS::{K#0}::{closure#1}::__RUST_STD_INTERNAL_VAL" },
    { "_RNSC1as_1b", "a::{shim:b#1}" },
    { "_RNSC1as9_1b", "a::{shim:b#11}" }, /* each kind of digit in base 62 */
    { "_RNSC1asa_1b", "a::{shim:b#12}" },
    { "_RNSC1asz_1b", "a::{shim:b#37}" },
    { "_RNSC1asA_1b", "a::{shim:b#38}" },
    { "_RNSC1asZ_1b", "a::{shim:b#63}" },
    { "_RNSC1as10_1b", "a::{shim:b#64}" },
    { "_RINvCsahnxeiPqv7R_1l5takesDG0_INtNtNtCsgEmfK2I1SDS_4core3ops8function2FnTRL1_eRL0_hEEp6"
      "OutputRL1_eEL_EB2_",
      "l::takes::<dyn for<'a, 'b> core::ops::function::Fn<(&'a str, &'b u8), Output = &'a str>>" },
    { "_RINvC1a1fDNtC1b1TNtBa_4SendEL_E", "a::f::<dyn b::T + b::Send>" },
    { "_RINvCsahnxeiPqv7R_1l5takesFUKClElEB2_", "l::takes::<unsafe extern \"C\" fn(i32) -> i32>" },
    { "_RINvC1a1fFK13system_unwindEuE", "a::f::<extern \"system-unwind\" fn()>" },
    { "_RINvC1a1fFG_RL0_eEzE", "a::f::<for<'a> fn(&'a str) -> !>" },
    { "_RINvC1a1fThEAtj1_SxPlOdTEQyRL_eE", "a::f::<(u8,), [u16; 1], [i64], *const i32, *mut f64, "
                                           "(), &mut u64, &str>" },
    { "_RINvC1a1fKb0_Kb1_Kj0_Kan80_Kc27_Kca_Kc1f600_KpE",
      "a::f::<false, true, 0, -128, '\\'', '\\n', '\\u{1f600}', _>" },
    { "_RINvC1a1fKo10000000000000000_KnnffffffffffffffffE",
      NULL }, /* the last number does not end */
    { "_RINvC1a1fKo10000000000000000_Kyffffffffffffffff_E",
      "a::f::<0x10000000000000000, 18446744073709551615>" },
    { "_RINvC1a1fLL_E", NULL },
    { "_RINvC1a1fL_E", "a::f::<'_>" },
    { "_RNvNtC1lu8gre_4ha1fu9lnge_5qa", NULL },
    { "_RNvC1lu8gdel_5qa", "l::g\u00f6del" },
    { "_RNvC1lu3d1a", "l::\u0434" },
    { "_RNvC1lu9gre_6ka8i", "l::gr\u00f6\u00dfe" },
    { "_RYNtC1a1BNtB5_1T", NULL },
    { "_RYNtC1a1BNtB2_1T", "<a::B as a::T>" },
};

static void assert_name(const char *symbol, const char *name)
{
    const toll_mem mem = toll_mem_from(NULL);
    toll_buffer out;
    toll_buffer_init(&out, &mem);
    bool done = toll_append_rust_symbol(&out, symbol);
    if (done != (name != NULL) || (name && strcmp(toll_buffer_cstr(&out), name) != 0))
        fail_msg("%s: %s, not %s", symbol, done ? toll_buffer_cstr(&out) : "none",
                 name ? name : "none");
    if (!done)
        assert_int_equal(out.size, 0);
    toll_buffer_free(&out);
}

static void test_legacy_symbols(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof legacy / sizeof *legacy; i++)
        assert_name(legacy[i].symbol, legacy[i].name);
}

static void test_v0_symbols(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof v0 / sizeof *v0; i++)
        assert_name(v0[i].symbol, v0[i].name);
}

static void test_names_of_others(void **state)
{
    static const char *const others[] = {
        "",
        "main",
        "_Z3fooi",
        "_ZN3foo3barEv",               /* C++'s */
        "_ZN3foo17h0000000000000000E", /* no hash has so few digits */
        "_ZN3foo17h0123456789abcdefEv",
        "_ZN3foo17h0123456789abcdef",
        "_ZN99foo17h0123456789abcdefE",
        "_ZN99999999999999999999999foo17h0123456789abcdefE",
        "_ZN17h0123456789abcdefE",
        "_R",
        "_Rust",
        "_RNvC1a",
        "_RNvC1a9",
        "_RNvC1a1bx",
        "_RNvCsZZZZZZZZZZZZZ_1a1b", /* 2^64 and more */
        "_RNSC1as/_1b",             /* no digits in base 62 */
        "_RNSC1as:_1b",
        "_RNSC1as@_1b",
        "_RNSC1as[_1b",
        "_RNSC1as`_1b",
        "_RNSC1as{_1b",
        "_RINvC1a1bRL0_eE", /* a lifetime that nothing binds */
        "_RNvB_1a",         /* refers to itself */
        "_RINvC1a1bBz_E",   /* and further on */
        "_RNvC1au3_zz",
        "_RNvC1au999zzz",
    };
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_name(others[i], NULL);
}

/* Deeper than any recursion should go. */
static void test_a_symbol_without_end(void **state)
{
    enum { DEPTH = 100000 };
    static char symbol[DEPTH + 20];
    (void)state;
    strcpy(symbol, "_RINvC1a1b");
    memset(symbol + 10, 'R', DEPTH);
    assert_name(symbol, NULL);
    memset(symbol + 2, 'N', DEPTH);
    assert_name(symbol, NULL);
}

/* A symbol that is cut anywhere, or has another letter anywhere, is read or refused. */
static void test_symbols_that_are_damaged(void **state)
{
    static const char letters[] = "0_sBECINMXYRTDFKGLpuz$.";
    const toll_mem mem = toll_mem_from(NULL);
    toll_buffer out;
    (void)state;
    toll_buffer_init(&out, &mem);
    for (size_t i = 0; i < sizeof v0 / sizeof *v0 + sizeof legacy / sizeof *legacy; i++) {
        size_t n = sizeof v0 / sizeof *v0;
        const char *symbol = i < n ? v0[i].symbol : legacy[i - n].symbol;
        char bad[300];
        for (size_t at = 0; symbol[at]; at++) {
            strcpy(bad, symbol);
            for (size_t l = 0; l < sizeof letters; l++) { /* the last one is NUL */
                bad[at] = letters[l];
                toll_buffer_clear(&out);
                toll_append_rust_symbol(&out, bad);
                assert_true(out.size <= TOLL_MOST_RUST_NAME && !out.failed);
            }
        }
    }
    toll_buffer_free(&out);
}

/* The samples of RFC 3492, section 7.1, with _ instead of the last -. */
static void test_punycode_of_the_standard(void **state)
{
    static const struct {
        const char *text;
        uint32_t characters[32];
        size_t count;
    } cases[] = {
        { "egbpdaj6bu4bxfgehfvwxn",
          { 0x644, 0x64a, 0x647, 0x645, 0x627, 0x628, 0x62a, 0x643, 0x644, 0x645, 0x648, 0x634,
            0x639, 0x631, 0x628, 0x64a, 0x61f },
          17 },
        { "ihqwcrb4cv8a8dqg056pqjye",
          { 0x4ed6, 0x4eec, 0x4e3a, 0x4ec0, 0x4e48, 0x4e0d, 0x8bf4, 0x4e2d, 0x6587 },
          9 },
        { "4dbcagdahymbxekheh6e0a7fei0b",
          { 0x5dc, 0x5de, 0x5d4, 0x5d4, 0x5dd, 0x5e4, 0x5e9, 0x5d5, 0x5d8, 0x5dc, 0x5d0,
            0x5de, 0x5d3, 0x5d1, 0x5e8, 0x5d9, 0x5dd, 0x5e2, 0x5d1, 0x5e8, 0x5d9, 0x5ea },
          22 },
        { "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa",
          { 0x306a, 0x305c, 0x307f, 0x3093, 0x306a, 0x65e5, 0x672c, 0x8a9e, 0x3092, 0x8a71, 0x3057,
            0x3066, 0x304f, 0x308c, 0x306a, 0x3044, 0x306e, 0x304b },
          18 },
        { "3B_ww4c5e180e575a65lsy2b",
          { '3', 0x5e74, 'B', 0x7d44, 0x91d1, 0x516b, 0x5148, 0x751f },
          8 },
        { "d9juau41awczczp", { 0x305d, 0x306e, 0x30b9, 0x30d4, 0x30fc, 0x30c9, 0x3067 }, 7 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t got[TOLL_PUNYCODE_MOST];
        size_t count;
        assert_true(toll_punycode_decode(cases[i].text, strlen(cases[i].text), got, &count));
        assert_int_equal(count, cases[i].count);
        assert_memory_equal(got, cases[i].characters, count * sizeof *got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legacy_symbols),
        cmocka_unit_test(test_v0_symbols),
        cmocka_unit_test(test_names_of_others),
        cmocka_unit_test(test_a_symbol_without_end),
        cmocka_unit_test(test_symbols_that_are_damaged),
        cmocka_unit_test(test_punycode_of_the_standard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
