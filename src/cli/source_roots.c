/* source_roots.c - see source_roots.h. */
#include "source_roots.h"

#include "base/fail.h"
#include "base/os.h"

#include <stdio.h>
#include <string.h>

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

/* Is the path the folder, or inside it? Both are real paths. */
static bool is_in(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    if (strncmp(path, folder, n) != 0)
        return false;
    return path[n] == 0 || is_separator(path[n]) || (n > 0 && is_separator(path[n - 1]));
}

/* --- the folders -------------------------------------------------------------------------------*/

static bool add(toll_source_roots *roots, const char *real)
{
    return toll_strtab_add(&roots->paths, real, strlen(real)) != UINT32_MAX;
}

/* Add a folder. One that does not exist is ignored. */
static bool add_named(toll_source_roots *roots, const char *path)
{
    char real[TOLL_OS_PATH_SIZE];
    return !toll_os_real_path(*path ? path : ".", real) || add(roots, real);
}

/* Is it the root of the system, "/" or "C:\"? */
static bool is_whole_system(const char *real)
{
    return strlen(real) <= 3 && is_separator(real[strlen(real) - 1]);
}

/* Is the folder a git work tree of the same owner? In /tmp any user may make one. */
static bool is_work_tree(const char *folder, uint32_t owner)
{
    char git[TOLL_OS_PATH_SIZE];
    toll_os_info info;
    int n = snprintf(git, sizeof git, "%s/.git", folder);
    return n > 0 && (size_t)n < sizeof git && toll_os_look(git, &info) && info.owner == owner;
}

/* Add the git work tree that contains a folder, or else that folder. The root of the whole system
 * is not added: it is not a project that the user chose. */
static bool add_project(toll_source_roots *roots, const char *path)
{
    char folder[TOLL_OS_PATH_SIZE], tree[TOLL_OS_PATH_SIZE];
    toll_os_info info;
    if (!toll_os_real_path(path, folder) || !toll_os_look(folder, &info) || is_whole_system(folder))
        return true;
    strcpy(tree, folder);
    while (!is_work_tree(tree, info.owner)) {
        size_t n = (size_t)(toll_os_file_name(tree) - tree);
        tree[n ? n - 1 : 0] = 0;
        if (!strpbrk(tree, "/\\"))
            return add(roots, folder);
    }
    return add(roots, tree);
}

static bool add_project_of_script(toll_source_roots *roots, const char *script)
{
    char folder[TOLL_OS_PATH_SIZE];
    size_t n = (size_t)(toll_os_file_name(script) - script);
    if (n >= sizeof folder)
        return true;
    memcpy(folder, script, n);
    folder[n] = 0;
    return add_project(roots, n ? folder : ".");
}

toll_status toll_source_roots_begin(toll_source_roots *roots, const toll_settings *s,
                                    const toll_allocator *allocator, toll_error *err)
{
    roots->are_all = s->source_outside != 0;
    toll_strtab_init(&roots->paths, allocator);
    bool good = add_project(roots, ".") && (!s->script || add_project_of_script(roots, s->script));
    for (size_t i = 0; good && i < s->source_dirs.count; i++)
        good = add_named(roots, s->source_dirs.items[i]);
    for (size_t i = 0; good && i < s->prefix_maps.count; i++) {
        const char *equals = strchr(s->prefix_maps.items[i], '=');
        good = !equals || add_named(roots, equals + 1);
    }
    return good ? TOLL_OK : toll_fail_nomem(err);
}

void toll_source_roots_free(toll_source_roots *roots)
{
    toll_strtab_free(&roots->paths);
}

/* --- files in them -----------------------------------------------------------------------------*/

/* Does a part of the path begin with a dot? */
static bool is_hidden(const char *path)
{
    for (size_t i = 0; path[i]; i++)
        if (path[i] == '.' && (i == 0 || is_separator(path[i - 1])))
            return true;
    return false;
}

/* Is it a file that the kernel or a device generates? Those in /dev/shm are ordinary files, in
 * memory. */
static bool is_made_by_kernel(const char *real)
{
    return is_in(real, "/proc") || is_in(real, "/sys") ||
           (is_in(real, "/dev") && !is_in(real, "/dev/shm"));
}

bool toll_source_roots_have(const toll_source_roots *roots, const char *real)
{
    if (is_made_by_kernel(real))
        return false;
    for (uint32_t id = 1; id < roots->paths.count; id++) {
        const char *root = toll_strtab_text(&roots->paths, id);
        if (is_in(real, root) && !is_hidden(real + strlen(root)))
            return true;
    }
    return roots->are_all;
}
