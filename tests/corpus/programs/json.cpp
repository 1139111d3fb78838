// json.cpp - parses JSON, also what is none: exceptions from deep inside, caught far above. It counts calls
// of two of its functions itself.
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#define EXPORT extern "C" EMSCRIPTEN_KEEPALIVE
#else
#define EXPORT extern "C"
#endif

static int values, checks;

struct Node {
    double number = 0;
    std::string text;
    std::vector<std::unique_ptr<Node>> items;
    std::map<std::string, std::unique_ptr<Node>> members;
};

struct ParseError : std::runtime_error {
    size_t at;
    ParseError(const char *what, size_t where) : std::runtime_error(what), at(where) {}
};

struct Guard { // has to be destroyed on the way up
    static int standing;
    Guard() { standing++; }
    ~Guard() { standing--; }
};
int Guard::standing;

struct Parser {
    const std::string &s;
    size_t at = 0;

    char peek() const { return at < s.size() ? s[at] : '\0'; }

    void expect(char c)
    {
        if (peek() != c)
            throw ParseError("something else was expected", at);
        at++;
    }

    std::string string()
    {
        std::string out;
        for (expect('"'); peek() != '"'; at++) {
            if (peek() == '\\')
                at++;
            if (!peek())
                throw ParseError("a string does not end", at);
            out += peek();
        }
        expect('"');
        return out;
    }

    double number()
    {
        size_t used = 0;
        double value;
        try {
            value = std::stod(s.substr(at, 20), &used); // throws invalid_argument
        } catch (const std::invalid_argument &) {
            throw ParseError("no value", at);
        }
        at += used;
        return value;
    }

    template <class Each> void list(char open, char close, Each each)
    {
        expect(open);
        if (peek() != close)
            for (each(); peek() == ','; each())
                at++;
        expect(close);
    }

    std::unique_ptr<Node> __attribute__((noinline)) value()
    {
        values++;
        Guard guard;
        auto node = std::make_unique<Node>();
        if (peek() == '[')
            list('[', ']', [&] { node->items.push_back(value()); });
        else if (peek() == '{')
            list('{', '}', [&] {
                std::string key = string();
                expect(':');
                node->members[key] = value();
            });
        else if (peek() == '"')
            node->text = string();
        else
            node->number = number();
        return node;
    }
};

static double sum(const Node &node)
{
    double total = node.number + (double)node.text.size();
    for (auto &item : node.items)
        total += sum(*item);
    for (auto &member : node.members)
        total += sum(*member.second) + (double)member.first.size();
    return total;
}

static std::string document(int n, int depth)
{
    if (depth == 0)
        return n % 5 == 4 ? "oops" : std::to_string(n * 37 % 101) + (n % 3 ? "" : ".25");
    std::string inner = document(n + 1, depth - 1), first = document(n, depth - 1);
    return n & 1 ? "[" + first + ",\"x\\\"y\"," + inner + "]" : "{\"a\":" + first + ",\"b" + std::to_string(n) + "\":" + inner + "}";
}

/* Always called by run, whatever was thrown before. */
static int __attribute__((noinline)) check(int x)
{
    checks++;
#ifdef SLEEP
    if (x % 7 == 0)
        emscripten_sleep(1); // Asyncify: the whole stack goes, and comes back
#endif
    return x + Guard::standing * 1000000;
}

static int (*volatile checker)(int) = check; // no optimiser takes it into run

EXPORT int run(int n)
{
    double total = 0;
    for (int i = 0; i < n; i++) {
        std::string text = document(i, i % 6);
        Parser parser{ text };
        try {
            auto node = parser.value();
            total += sum(*node);
        } catch (const ParseError &error) {
            total += (double)error.at;
        }
        total += checker(i);
    }
    return (int)total;
}

#ifdef THREADS
#include <thread>
/* The same in a thread: another instance, in a worker. */
EXPORT int run_in_thread(int n)
{
    int result = 0;
    std::thread thread([&] { result = run(n); });
    thread.join();
    return result;
}
#endif

EXPORT int value_calls() { return values; }
EXPORT int check_calls() { return checks; }
