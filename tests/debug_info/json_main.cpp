// json_main.cpp - the corpus' parser of JSON on documents without faults: no exception is thrown, so that it needs no JavaScript.
#include "../corpus/programs/json.cpp"

#include <stdio.h>

int main()
{
    double total = 0;
    for (int i = 0; i < 100; i++) {
        std::string text = document(5 * i, 3);
        Parser parser{ text };
        total += sum(*parser.value());
    }
    printf("%.2f\n", total);
}
