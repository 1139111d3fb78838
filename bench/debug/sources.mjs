// sources.mjs DIR UNITS STATEMENTS - writes sources of C++ for run.sh: unit0.cpp and so on, with classes, templates and
// functions that are inlined in each other, each unit of other names; and large.c, one function of so many statements.
import fs from "node:fs";

const [, , dir, units, statements] = process.argv;
const CLASSES = 25;
const many = (count, text) => Array.from({ length: count }, (_, i) => text(i)).join("");

const aClass = (unit, i) => `
/* Keeps sums of kind ${i}. */
template <typename Value, int Size> struct Table${i} {
    Value values[Size];
    unsigned first, last, count${i};
    inline Value at(unsigned index) const {
        return values[index % Size];
    }
    inline void put(unsigned index, Value value) {
        if (at(index) < value)
            last = index;
        else
            first = index + ${i}u;
        values[index % Size] += value ^ (Value)${unit * CLASSES + i};
        count${i}++;
    }
    __attribute__((noinline)) Value sum(unsigned from, unsigned to, const Value *more) {
        Value result = 0;
        for (unsigned index = from; index < to; index++) {
            Value value = at(index) + more[index & 7];
            if (value % ${i + 3}u == 1)
                put(index + value, value * ${2 * i + 1}u);
            else if (value & 4)
                put(value >> 3, index);
            result += at(value);
        }
        return result;
    }
};
__attribute__((noinline)) unsigned step${i}(unsigned length, const unsigned *more) {
    static Table${i}<unsigned, ${32 + i}> small;
    static Table${i}<unsigned long long, ${16 + i}> large;
    static const unsigned long long wide[8] = { 1, 2, 3, 4, 5, 6, 7, ${i} };
    unsigned result = small.sum(0, length, more) + (unsigned)large.sum(1, length, wide);
    for (unsigned turn = 0; turn < (result & 3); turn++) {
        small.put(turn, result);
        result += small.at(turn * ${i + 2}u);
    }
    return result;
}`;

for (let unit = 0; unit < Number(units); unit++)
  fs.writeFileSync(`${dir}/unit${unit}.cpp`, `namespace unit${unit} {${many(CLASSES, i => aClass(unit, i))}
}
extern "C" unsigned run${unit}(unsigned length, const unsigned *more) {
    unsigned result = 0;${many(CLASSES, i => `
    result += unit${unit}::step${i}(length + result % 5, more);`)}
    return result;
}
`);

fs.writeFileSync(`${dir}/large.c`, `unsigned table[64];
unsigned large(unsigned x) {${many(Number(statements), i => `
    if (x & ${1 << i % 31}u)
        table[${i % 64}] += ${2 * i + 3}u;
    else
        x ^= ${i}u;`)}
    return x;
}
`);
