// containers.cpp - a sort and a map of the standard library, of which -O2 inlines most.
#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

int main()
{
    std::vector<int> values;
    std::map<int, int> counts;
    unsigned seed = 1;
    for (int i = 0; i < 2000; i++)
        values.push_back((seed = seed * 1103515245 + 12345) >> 8);
    std::sort(values.begin(), values.end());
    for (int value : values)
        counts[value % 100]++;
    long sum = 0;
    for (auto &[value, count] : counts)
        sum += value * count;
    printf("%ld\n", sum);
}
