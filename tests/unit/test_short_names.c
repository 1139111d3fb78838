/* test_short_names.c - short names of a profile: no two functions share one. */
#include "support_profile.h"

#include "profile/short_names.h"

typedef struct row {
    const char *name, *expected;
} row;

static toll_profile *profile_of(const row *rows, size_t count, bool backwards)
{
    toll_profile *p = empty();
    for (size_t i = 0; i < count; i++) {
        toll_frame_id f;
        const char *name = rows[backwards ? count - 1 - i : i].name;
        assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = name, .file = "" }, &f, err));
    }
    return p;
}

static void assert_names(const row *rows, size_t count)
{
    for (int backwards = 0; backwards < 2; backwards++) {
        toll_profile *p = profile_of(rows, count, backwards);
        toll_short_names names;
        assert_ok(toll_short_names_create(&names, true, p, NULL, err));
        for (size_t i = 0; i < count; i++)
            assert_string_equal(toll_short_name_of(&names, rows[i].name), rows[i].expected);
        toll_short_names_free(&names);
        toll_profile_free(p);
    }
}

#define ASSERT_NAMES(rows) assert_names(rows, sizeof(rows) / sizeof *(rows))

static void test_the_part_that_differs_is_shown(void **state)
{
    (void)state;
    const row rows[] = {
        { "main", "main" },
        { "std::__2::vector<int, std::__2::allocator<int> >::push_back(int const&)",
          "std::vector<int, std::allocator<int> >::push_back(int const&)" },
        { "std::__2::vector<int, std::__2::allocator<int> >::push_back(int&&)",
          "std::vector<int, std::allocator<int> >::push_back(int&&)" },
        { "std::__2::vector<long, std::__2::allocator<long> >::push_back(long&&)",
          "std::vector<long, std::allocator<long> >::push_back(...)" },
        { "std::__2::vector<int, std::__2::allocator<int> >::clear()",
          "std::vector<...>::clear()" },
        { "a::f(int, char)", "a::f(int, char)" },
        { "a::f(char, int)", "a::f(char, int)" },
        { "a::g(char, int)", "a::g(...)" },
        { "<alloc::vec::Vec<alloc::string::String>>::push",
          "<alloc::vec::Vec<alloc::string::String>>::push" },
        { "<alloc::vec::Vec<alloc::rc::Rc<A>>>::push",
          "<alloc::vec::Vec<alloc::rc::Rc<A>>>::push" },
    };
    ASSERT_NAMES(rows);
}

static void test_difference_deep_inside(void **state)
{
    (void)state;
    const row rows[] = {
        { "h<a<b<c<d<e1, f> > > >, a<a<a> > >::i(int, int)",
          "h<a<b<c<d<e1, f> > > >, a<...> >::i(...)" },
        { "h<a<b<c<d<e2, f> > > >, a<a<a> > >::i(int, int)",
          "h<a<b<c<d<e2, f> > > >, a<...> >::i(...)" },
    };
    ASSERT_NAMES(rows);
}

/* What is left out by itself comes back where nothing else differs. */
static void test_scopes_and_tags_that_differ(void **state)
{
    (void)state;
    const row rows[] = {
        { "std::locale::name() const", "std::locale::name() const" },
        { "std::locale::name[abi:cxx11]() const", "std::locale::name[abi:cxx11]() const" },
        { "std::__1::f(int, int)", "std::__1::f(...)" },
        { "std::__2::f(int, int)", "std::__2::f(...)" },
    };
    ASSERT_NAMES(rows);
}

/* A name may be what another one's short form would be. */
static void test_names_that_are_short_forms(void **state)
{
    (void)state;
    const row rows[] = {
        { "a::f(...)", "a::f(...)" },
        { "a::f(int*)", "a::f(int*)" },
        { "a::f(int*, std::__2::vector<int, b>)", "a::f(int*, std::__2::vector<int, b>)" },
        { "std::f(int, int)", "std::f(int, int)" },
        { "std::__2::f(int, int)", "std::__2::f(...)" },
        { "std::f(...)", "std::f(...)" },
    };
    ASSERT_NAMES(rows);
}

/* More levels than there are rounds. */
static void test_too_deep_is_whole(void **state)
{
    (void)state;
    char a[512] = "f", b[512];
    for (int i = 0; i < 60; i++)
        strcat(a, "<a::b");
    strcpy(b, a);
    strcat(a, "1");
    strcat(b, "2");
    for (int i = 0; i < 60; i++) {
        strcat(a, ">");
        strcat(b, ">");
    }
    const row rows[] = { { a, a }, { b, b } };
    ASSERT_NAMES(rows);
}

static void test_unwanted_and_unknown_names_are_whole(void **state)
{
    (void)state;
    const row rows[] = { { "a::f(int, char)", "" } };
    toll_profile *p = profile_of(rows, 1, false), *other = empty();
    toll_short_names names;
    assert_ok(toll_short_names_create(&names, false, p, NULL, err));
    assert_string_equal(toll_short_name_of(&names, "a::f(int, char)"), "a::f(int, char)");
    toll_short_names_free(&names);
    assert_ok(toll_short_names_create(&names, true, other, p, err));
    assert_string_equal(toll_short_name_of(&names, "a::f(int, char)"), "a::f(...)");
    assert_string_equal(toll_short_name_of(&names, "b::f(int, char)"), "b::f(int, char)");
    toll_short_names_free(&names);
    toll_profile_free(other);
    toll_profile_free(p);
}

static toll_status name_all(const toll_allocator *a, void *user)
{
    toll_profile *p;
    toll_frame_id f;
    toll_error error;
    toll_short_names names;
    toll_status status = toll_profile_create(a, &p, &error);
    (void)user;
    if (status)
        return status;
    for (int i = 0; !status && i < 3; i++) {
        const char *name = i == 0 ? "a::f(int, int)" : i == 1 ? "a::f(b<c, d>)" : "g<b<c, d> >()";
        status = toll_profile_add_frame(p, &(toll_frame){ .name = name, .file = "" }, &f, &error);
    }
    if (!status)
        status = toll_short_names_create(&names, true, p, NULL, &error);
    if (!status)
        toll_short_names_free(&names);
    toll_profile_free(p);
    return status;
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    test_every_allocation(name_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_part_that_differs_is_shown),
        cmocka_unit_test(test_difference_deep_inside),
        cmocka_unit_test(test_scopes_and_tags_that_differ),
        cmocka_unit_test(test_names_that_are_short_forms),
        cmocka_unit_test(test_too_deep_is_whole),
        cmocka_unit_test(test_unwanted_and_unknown_names_are_whole),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
