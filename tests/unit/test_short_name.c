/* test_short_name.c - the short forms of C++ and Rust names, as libiberty, LLVM and rustc write
 * them; names of other languages do not change. */
#include "support.h"

#include "demangle/short_name.h"

typedef struct row {
    const char *name, *expected;
} row;

static const row rows[] = {
    { "std::__2::vector<int, std::__2::allocator<int> >::push_back[abi:v15006](int&&)",
      "std::vector<...>::push_back(...)" },
    { "nlohmann::json_abi_v3_11_2::basic_json<std::__2::map, std::__2::vector, bool, long "
      "long>::parse(char const*&&)",
      "nlohmann::json_abi_v3_11_2::basic_json<...>::parse(...)" },
    { "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> "
      ">::_M_append(char const*, unsigned long)",
      "std::basic_string<...>::_M_append(...)" },
    { "std::filesystem::__cxx11::path::stem() const", "std::filesystem::path::stem() const" },
    { "std::__1::chrono::_V2::system_clock::now()", "std::chrono::system_clock::now()" },
    { "std::__ndk1::__fs::filesystem::path::__stem() const",
      "std::__fs::filesystem::path::__stem() const" },
    { "notstd::__2::f(int, int)", "notstd::__2::f(...)" },
    { "std::__2x::f(int, int)", "std::__2x::f(...)" },
    { "absl::lts_20230125::container_internal::raw_hash_set<P, H>::resize(unsigned long)",
      "absl::container_internal::raw_hash_set<P, H>::resize(...)" },
    /* operators, as libiberty writes them, and as LLVM does */
    { "std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)",
      "std::ostream& std::operator<< <...>(...)" },
    { "std::ostream& std::operator<<<std::char_traits<char> >(std::ostream&, char const*)",
      "std::ostream& std::operator<<<...>(...)" },
    { "bool std::operator< <char>(A<char> const&, A<char> const&)",
      "bool std::operator< <char>(...)" },
    { "bool std::operator<<A<char>, B>(A<char> const&)", "bool std::operator<<...>(...)" },
    { "bool a::operator> <std::pair<int, int> >(b)", "bool a::operator> <...>(b)" },
    { "bool a::operator><std::pair<int, int> >(b)", "bool a::operator><...>(b)" },
    { "llvm::operator<<(llvm::raw_ostream&, llvm::Twine const&)", "llvm::operator<<(...)" },
    { "llvm::SmallVectorImpl<llvm::Value*>::operator=(llvm::SmallVectorImpl<llvm::Value*>&&)",
      "llvm::SmallVectorImpl<...>::operator=(...)" },
    { "std::unique_ptr<llvm::Module, std::default_delete<llvm::Module> >::operator->() const",
      "std::unique_ptr<...>::operator->() const" },
    { "A::operator->*(int A::*)", "A::operator->*(...)" },
    { "f<decltype((a)->b), int>::g(int, int)", "f<...>::g(...)" },
    { "f<a->b, int>::g(int, int)", "f<...>::g(...)" },
    { "A::operator<=>(A const&) const", "A::operator<=>(...) const" },
    { "A::operator()(int, char) const", "A::operator()(...) const" },
    { "A::operator[][abi:v15006](unsigned long)", "A::operator[](...)" },
    { "A::operator()<std::string, int>(std::string, int)", "A::operator()<...>(...)" },
    { "A::operator std::vector<int, B>() const", "A::operator std::vector<...>() const" },
    { "operator new(unsigned long)", "operator new(unsigned long)" },
    { "my_operator<int, int>::f(int, int)", "my_operator<...>::f(...)" },
    /* lambdas, pointers to functions, expressions, specifiers */
    { "(anonymous namespace)::Parser::run(std::vector<int> const&)",
      "(anonymous namespace)::Parser::run(...)" },
    { "f<(anonymous namespace)::A>((anonymous namespace)::A)::g()", "f<...>(...)::g()" },
    { "run(Options const&)::{lambda(int, char)#1}::operator()(int, char) const",
      "run(...)::{lambda(...)#1}::operator()(...) const" },
    { "auto run(Options const&)::'lambda0'(auto)::operator()<int*>(auto) const",
      "auto run(...)::'lambda0'(auto)::operator()<int*>(auto) const" },
    { "a::b(std::vector<int>)::'lambda'(int, int)::operator()(int, int) const",
      "a::b(...)::'lambda'(...)::operator()(...) const" },
    { "a::each(void (*)(int, char), void*)", "a::each(...)" },
    { "void (*a::get(int, int))(char)", "void (*a::get(int, int))(char)" },
    { "void std::__2::__function::__func<h(), std::__2::allocator<h()>, void ()>::operator()()",
      "void std::__function::__func<...>::operator()()" },
    { "std::function<void (int)>::operator()(int) const",
      "std::function<...>::operator()(int) const" },
    { "std::enable_if<((sizeof (T))>(4)), int>::type f<T>(T&&)",
      "std::enable_if<...>::type f<T>(T&&)" },
    { "g<((1)<(2)), &(A::operator>)>(int, int)", "g<...>(...)" },
    { "f<a<=b, c>(int, int)", "f<...>(...)" },
    { "f<a=<b, c>, d>(int, int)", "f<...>(...)" },
    { "decltype (a.f((b)())) c::g<a, b>(a&&, b&&)", "decltype (...) c::g<a, b>(...)" },
    { "decltype(a.f(b())) c::g<a, b>(a&&, b&&)", "decltype(...) c::g<a, b>(...)" },
    { "decltype(auto) a::b<c, d, e>(int) [clone .cold]",
      "decltype(auto) a::b<...>(int) [clone .cold]" },
    { "a::f[abi:cxx11]<b, c, d>(int)", "a::f<...>(int)" },
    /* Rust: v0, legacy */
    { "<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop",
      "<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop" },
    { "<alloc::vec::Vec<alloc::string::String> as core::ops::drop::Drop>::drop",
      "<alloc::vec::Vec<...> as core::ops::drop::Drop>::drop" },
    { "<alloc::vec::Vec<alloc::string::String>>::push", "<alloc::vec::Vec<...>>::push" },
    { "core::fmt::num::<impl core::fmt::Display for u32>::fmt",
      "core::fmt::num::<impl core::fmt::Display for u32>::fmt" },
    { "core::ptr::drop_in_place::<alloc::string::String>", "core::ptr::drop_in_place::<...>" },
    { "core::ptr::drop_in_place<std::io::error::Error>", "core::ptr::drop_in_place<...>" },
    { "<[T] as core::slice::Concat<Item>>::concat::{{closure}}",
      "<[T] as core::slice::Concat<Item>>::concat::{{closure}}" },
    { "a::map::<a::b::{closure#0}>::{closure#1}", "a::map::<...>::{closure#1}" },
    { "<fn(u64) -> bool as core::ops::FnOnce<(u64,)>>::call_once",
      "<fn(u64) -> bool as core::ops::FnOnce<...>>::call_once" },
    { "<a::b::{closure#0} as core::ops::FnOnce<()>>::call_once::{shim:vtable#0}",
      "<a::b::{closure#0} as core::ops::FnOnce<()>>::call_once::{shim:vtable#0}" },
    { "<(alloc::vec::Vec<u8>, [u8; 24]) as a::B>::c",
      "<(alloc::vec::Vec<u8>, [u8; 24]) as a::B>::c" },
    /* others */
    { "static Swift.Array.append<A where A: Swift.Sequence>(A) -> ()",
      "static Swift.Array.append<...>(A) -> ()" },
    { "", "" },
    { "main", "main" },
    { "main(int, char**)", "main(int, char**)" },
    { "function <script.lua:12>", "function <script.lua:12>" },
    { "Token: TransferChecked", "Token: TransferChecked" },
    { "Array.map (native)", "Array.map (native)" },
    { "Foo.<anonymous>", "Foo.<anonymous>" },
    { "<module>", "<module>" },
    { "main.(*T).Method", "main.(*T).Method" },
    { "a < b", "a < b" },
    /* no names: what has no partner stays */
    { "a::b>>)](<<<", "a::b>>)](<<<" },
    { "a::b<int, int(", "a::b<int, int(" },
    { "a::b<int, (int>)", "a::b<int, (int>)" },
    { "a::[abi:x", "a::[abi:x" },
    { "a::\xc3\xa9<\xe2\x82\xac, \xe2\x82\xac>(\xf0\x9f\x98\x80\xf0\x9f\x98\x80)",
      "a::\xc3\xa9<...>(...)" },
};

static void assert_short(const char *name, const toll_name_view *view, const char *expected)
{
    toll_buffer out, room;
    toll_allocator mem = toll_c_allocator();
    toll_buffer_init(&out, &mem);
    toll_buffer_init(&room, &mem);
    assert_true(toll_append_short_name(&out, name, view, NULL, &room));
    assert_string_equal(toll_buffer_cstr(&out), expected);
    toll_buffer_free(&out);
    toll_buffer_free(&room);
}

static void test_short_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_short(rows[i].name, &(toll_name_view){ .shown = NULL }, rows[i].expected);
}

static void test_all_shown_is_the_name(void **state)
{
    uint8_t all[512];
    (void)state;
    memset(all, 1, sizeof all);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(strlen(rows[i].name) < sizeof all);
        assert_short(rows[i].name, &(toll_name_view){ all, true }, rows[i].name);
    }
}

static void test_parts_are_shown_one_by_one(void **state)
{
    static const char name[] = "std::__2::f[abi:a]<std::__2::vector<int, b>, long>(char, int)";
    uint8_t shown[sizeof name] = { 0 };
    toll_name_view view = { shown, false };
    (void)state;
    assert_short(name, &view, "std::f<...>(...)");
    shown[strchr(name, '(') - name] = 1;
    assert_short(name, &view, "std::f<...>(char, int)");
    shown[strchr(name, '<') - name] = 1;
    assert_short(name, &view, "std::f<std::vector<...>, long>(char, int)");
    view.scopes = true;
    assert_short(name, &view, "std::__2::f[abi:a]<std::__2::vector<...>, long>(char, int)");
}

static void test_folded_parts(void **state)
{
    static const char name[] = "a::f<std::vector<int>, long>::g(char, int)";
    toll_buffer out, folded, room;
    toll_allocator mem = toll_c_allocator();
    toll_name_part parts[2];
    (void)state;
    toll_buffer_init(&out, &mem);
    toll_buffer_init(&folded, &mem);
    toll_buffer_init(&room, &mem);
    assert_true(
        toll_append_short_name(&out, name, &(toll_name_view){ .shown = NULL }, &folded, &room));
    assert_int_equal(folded.size, sizeof parts);
    memcpy(parts, folded.data, sizeof parts);
    assert_memory_equal(name + parts[0].at, "<std::vector<int>, long>", parts[0].size);
    assert_memory_equal(name + parts[1].at, "(char, int)", parts[1].size);
    toll_buffer_free(&out);
    toll_buffer_free(&folded);
    toll_buffer_free(&room);
}

/* Half a million brackets, which belong together or do not: it is linear. */
static void test_long_names(void **state)
{
    enum { SIZE = 1 << 19 };
    static const char *const patterns[] = { "a<",        "(<",    "a<b>::", "operator<",
                                            "a<b as c<", "a<()>", "[abi:",  "std::__2::" };
    (void)state;
    char *name = malloc(SIZE + 1);
    toll_buffer out, room;
    toll_allocator mem = toll_c_allocator();
    assert_non_null(name);
    toll_buffer_init(&out, &mem);
    toll_buffer_init(&room, &mem);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        size_t n = strlen(patterns[i]);
        for (size_t at = 0; at < SIZE; at++)
            name[at] = at < SIZE / 2 ? patterns[i][at % n] : ")>"[at % 3 == 0];
        name[SIZE] = 0;
        toll_buffer_clear(&out);
        assert_true(
            toll_append_short_name(&out, name, &(toll_name_view){ .shown = NULL }, NULL, &room));
        assert_true(out.size <= SIZE);
    }
    toll_buffer_free(&out);
    toll_buffer_free(&room);
    free(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_names),
        cmocka_unit_test(test_all_shown_is_the_name),
        cmocka_unit_test(test_parts_are_shown_one_by_one),
        cmocka_unit_test(test_folded_parts),
        cmocka_unit_test(test_long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
