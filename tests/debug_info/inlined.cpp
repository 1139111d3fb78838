// inlined.cpp - sorting and counting by templates, of which -O2 inlines most into a few functions, several deep.
#include <stdio.h>

template <class T> struct less {
    bool operator()(const T &a, const T &b) const { return a < b; }
};

template <class T> inline void exchange(T &a, T &b)
{
    T held = a;
    a = b;
    b = held;
}

template <class T, unsigned N> class list {
    T items[N];
    unsigned used = 0;

public:
    void push(T item)
    {
        if (used < N)
            items[used++] = item;
    }
    T &operator[](unsigned i) { return items[i]; }
    unsigned size() const { return used; }
};

template <class L, class Less> inline void sink(L &l, unsigned at, unsigned end, Less is_less)
{
    for (unsigned child; (child = 2 * at + 1) < end; at = child) {
        if (child + 1 < end && is_less(l[child], l[child + 1]))
            child++;
        if (!is_less(l[at], l[child]))
            return;
        exchange(l[at], l[child]);
    }
}

template <class L, class Less> __attribute__((noinline)) void sort(L &l, Less is_less)
{
    for (unsigned i = l.size() / 2; i-- > 0;)
        sink(l, i, l.size(), is_less);
    for (unsigned end = l.size(); end-- > 1;) {
        exchange(l[0], l[end]);
        sink(l, 0, end, is_less);
    }
}

static list<unsigned, 3000> numbers;

int main()
{
    unsigned seed = 1, sum = 0;
    for (int i = 0; i < 3000; i++)
        numbers.push((seed = seed * 1103515245 + 12345) >> 8);
    sort(numbers, less<unsigned>());
    for (unsigned i = 0; i < numbers.size(); i += 100)
        sum = sum * 31 + numbers[i];
    printf("%u\n", sum);
}
