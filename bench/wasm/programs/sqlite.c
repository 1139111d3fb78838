/* sqlite.c - a WASI program for bench/wasm/programs.sh: runs the SQL of its input ROUNDS times in
 * SQLite, in memory. Many calls. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static int count_row(void *rows, int columns, char **values, char **names)
{
    (void)columns, (void)values, (void)names;
    ++*(long *)rows;
    return 0;
}

int main(int argc, char **argv)
{
    static char sql[1 << 20];
    long rows = 0;
    sqlite3 *db;
    sql[fread(sql, 1, sizeof sql - 1, stdin)] = 0;
    if (sqlite3_open(":memory:", &db))
        return 1;
    for (int i = 0; argc > 1 && i < atoi(argv[1]); i++)
        if (sqlite3_exec(db, sql, count_row, &rows, NULL))
            return 2;
    printf("%ld rows\n", rows);
}
