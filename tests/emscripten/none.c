/* none.c - a program that allocates nothing. */
int main(void)
{
    return 0;
}
