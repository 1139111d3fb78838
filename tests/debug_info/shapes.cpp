// shapes.cpp - methods that are defined apart from their declarations, of classes, templates and namespaces, without a library.
namespace shapes {

class shape {
public:
    explicit shape(int size);
    virtual int area() const;
    static int made();
    int twice() const { return 2 * area(); }

protected:
    int size_;
};

class square : public shape {
public:
    explicit square(int size);
    int area() const override;
};

template <class T> class list {
public:
    void add(T item);
    T sum() const;

private:
    T items_[16];
    unsigned used_ = 0;
};

static int count;

__attribute__((noinline)) shape::shape(int size) : size_(size)
{
    count++;
}

int shape::area() const
{
    return size_;
}

__attribute__((noinline)) int shape::made()
{
    return count;
}

square::square(int size) : shape(size + 1)
{
}

__attribute__((noinline)) int square::area() const
{
    return size_ * size_;
}

template <class T> __attribute__((noinline)) void list<T>::add(T item)
{
    items_[used_++ % 16] = item;
}

template <class T> inline T list<T>::sum() const
{
    T sum = 0;
    for (unsigned i = 0; i < used_ && i < 16; i++)
        sum += items_[i];
    return sum;
}

} // namespace shapes

extern "C" int run(int n)
{
    shapes::list<int> areas;
    shapes::list<long long> more;
    for (int i = 0; i < n; i++) {
        shapes::square made(i);
        areas.add(made.area());
        more.add(made.twice());
    }
    return areas.sum() + (int)more.sum() + shapes::shape::made();
}
