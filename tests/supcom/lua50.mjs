// lua50.mjs - Lua 5.0.3 in Node: runs texts in a fresh state. What a text prints goes to `print`.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(process.cwd() + "/");

/* The bindings share one instance and one `print`; a state of its own for each run is enough. */
const { lua, lauxlib, lualib } = require("lua-wasm-bindings/dist/lua.50");

const LUA_GLOBALSINDEX = -10001;

export function setGlobal(L, name, value) {
    lua.lua_pushstring(L, name);
    lua.lua_pushstring(L, value);
    lua.lua_settable(L, LUA_GLOBALSINDEX);
}

export function newState() {
    const L = lauxlib.luaL_newstate();
    lualib.luaL_openlibs(L);
    lua.lua_settop(L, 0);
    return L;
}

export function run(L, text, name) {
    const status = lauxlib.luaL_loadbuffer(L, text, Buffer.byteLength(text), name) || lua.lua_pcall(L, 0, 0, 0);
    if (status) {
        console.error(lua.lua_tostring(L, -1));
        process.exit(1); // an exception would print the whole of the bindings
    }
}

export function close(L) {
    lua.lua_close(L);
}

export function getGlobal(L, name) {
    lua.lua_pushstring(L, name);
    lua.lua_gettable(L, LUA_GLOBALSINDEX);
    const text = lua.lua_tostring(L, -1);
    lua.lua_pop(L, 1);
    return text;
}

export function text(path) {
    return readFileSync(path, "utf8");
}
