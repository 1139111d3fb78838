// editor.cpp - an editor's documents, and its mistake: what can be undone is remembered for ever, also when
// its document is closed. Ctrl+Shift+H in the page (index.html) tells who holds the memory.
#include <emscripten.h>
#include <memory>
#include <string>
#include <vector>

struct Edit {
    std::string before;
};

class Editor {
  public:
    void type(int words)
    {
        if (documents.empty())
            open();
        for (int i = 0; i < words; i++) {
            remember();
            write("another word, ");
        }
    }

    void open() { documents.push_back(std::make_unique<std::string>()); }

    void close_all()
    {
        documents.clear(); // and what of it stands in undo?
        documents.shrink_to_fit();
    }

  private:
    std::vector<std::unique_ptr<std::string>> documents;
    std::vector<Edit *> undo;

    __attribute__((noinline)) void write(const char *text) { documents.back()->append(text); }

    __attribute__((noinline)) void remember() { undo.push_back(new Edit{ *documents.back() }); }
};

static Editor &editor()
{
    static Editor the_editor;
    return the_editor;
}

extern "C" {
EMSCRIPTEN_KEEPALIVE void type_words(int words) { editor().type(words); }
EMSCRIPTEN_KEEPALIVE void close_all() { editor().close_all(); }
}
