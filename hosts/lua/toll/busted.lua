-- busted.lua - costs and budgets of the tests that busted runs:
--
--     busted --helper=toll.busted
--
-- Each test is recorded from its first instruction to its last, without before_each and after_each. In a test file
--
--     local budget = require("toll.busted").budget
--     it("reads numbers", budget({ "calls  parse.field  == 400" }, function() ... end))
--
-- Variables of the environment: TOLL_OUT (the file for the profile of all tests), TOLL_BUDGET and TOLL_WRITE_BUDGET.
local registry, KEY = debug.getregistry(), "toll.busted"
if registry[KEY] then return registry[KEY] end -- busted forgets the modules that a file of tests has loaded

local busted, toll = require "busted", require "toll"
local unpack = table.unpack or unpack
local ROWS, OVER = 10, 3 -- of the summary; the exit status of `toll check` where a rule fails

local M = { options = { clock = "none", ticks = true } } -- of toll.start
local rules = setmetatable({}, { __mode = "k" }) -- of functions that are tests
local is_recorded = setmetatable({}, { __mode = "k" }) -- functions of `recorded`
local parts, said = {}, {} -- files with what each test costs; the lines of the summary
local has_failed = false -- a test, by its costs
local has_run = false -- a test
local out, file, new_file = os.getenv "TOLL_OUT", os.getenv "TOLL_BUDGET", os.getenv "TOLL_WRITE_BUDGET"

local function is_there(path)
  local f = io.open(path, "rb")
  if f then f:close() end
  return f ~= nil
end

if file and new_file then error("toll: one of TOLL_BUDGET and TOLL_WRITE_BUDGET", 0) end
if file and not is_there(file) then error("toll: TOLL_BUDGET: there is no file " .. file .. "; TOLL_WRITE_BUDGET makes one", 0) end

-- The command of the same build or installation, or that of the PATH.
local beside = debug.getinfo(1, "S").source:match "^@(.*)[/\\][^/\\]*$"
local command = beside and beside .. "/../../../../bin/toll"
if not command or not is_there(command) then command = "toll" end

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function temporary(content)
  local name = os.tmpname()
  if content then
    local f = assert(io.open(name, "wb"))
    f:write(content)
    f:close()
  end
  return name
end

local function content_of(path)
  local f = assert(io.open(path, "rb"))
  local text = f:read "*a"
  f:close()
  os.remove(path)
  return text
end

-- Run the command; returns its exit status, what it has printed, and what it has said without `toll: ` before each line.
local function run(...)
  local words, printed, messages = { "GITHUB_ACTIONS= " .. quoted(command) }, temporary(), temporary()
  for _, word in ipairs { ... } do words[#words + 1] = quoted(word) end
  local ok, _, status = os.execute(table.concat(words, " ") .. " >" .. quoted(printed) .. " 2>" .. quoted(messages) .. " </dev/null")
  if type(ok) == "number" then status = ok / 256 end -- Lua 5.1
  local text = ("\n" .. content_of(messages)):gsub("\ntoll: ", "\n"):gsub("^\n", ""):gsub("%s+$", "")
  return status, content_of(printed), text
end

local function succeeded(...)
  local status, printed, text = run(...)
  if status ~= 0 then error("toll: " .. text, 0) end
  return printed
end

-- "FILE > SUITE > TEST", in one line, as a label is
local function name_of(element)
  local names, at = {}, element
  while at and at.descriptor ~= "suite" do
    if at.name then table.insert(names, 1, (at.name:gsub("^%./", ""))) end
    at = busted.parent(at)
  end
  return (table.concat(names, " > "):gsub("\n", " "))
end

local function fail_unless(status, text)
  has_failed = has_failed or status ~= 0
  if status == OVER then busted.fail(text, 0) end
  if status ~= 0 then error("toll: " .. text, 0) end
end

local function hold_to_rules(part, list)
  local name = temporary(table.concat(list, "\n") .. "\n")
  local status, _, text = run("check", "-q", "--budget", name, part)
  os.remove(name)
  fail_unless(status, (text:gsub(name:gsub("%p", "%%%0"), "budget")))
end

local function hold_to_file(part)
  local status, _, text = run("check", "-q", "--partial", "--budget", file, part)
  fail_unless(status, text)
end

-- Keep what a test has cost, with its label.
local function keep(name)
  local recorded, part = temporary(), temporary()
  assert(toll.write(recorded, "pprof"))
  succeeded("merge", "-q", "--label", "test=" .. name, "--to", "pprof", "-o", part, recorded)
  os.remove(recorded)
  parts[#parts + 1] = part
  return part
end

-- The function of a test, recorded. If it fails, the recording ends with the test, and is not kept.
local function recorded(test, name)
  local function run_recorded(...)
    assert(toll.start(M.options))
    test(...)
    toll.stop()
    local part = keep(name)
    if rules[test] then hold_to_rules(part, rules[test]) end
    if file then hold_to_file(part) end
  end
  is_recorded[run_recorded] = true
  return run_recorded
end

--- Hold a test to rules: it("...", budget({ "ticks  *  <= 1_204_331" }, function() ... end)).
function M.budget(list, test)
  rules[test] = list
  return test
end

local function remove_parts()
  for _, part in ipairs(parts) do os.remove(part) end
  parts = {}
end

local function sum_up(sum)
  succeeded("merge", "-q", "-o", sum, unpack(parts))
  said[#said + 1] = succeeded("report", "--each", "--by", "test", "-n", tostring(ROWS), sum)
  if file then
    local status, printed, text = run("check", "--partial", "--budget", file, sum)
    said[#said + 1] = printed:match "([^\n]*\n)$" -- how many rules there are, and how many failed
    if status ~= 0 and not has_failed then error("toll: tests of one name together: " .. text, 0) end
  end
  if new_file then said[#said + 1] = succeeded("check", "--partial", "--write-budget", new_file, sum) end
end

local function is_file(path)
  local f = io.open(path, "rb")
  local _, why
  if f then _, why = f:read(1) end -- of a folder that fails
  if f then f:close() end
  return f ~= nil and not why
end

-- No test has recorded anything: a profile of an older run would be taken for what these tests cost.
local function say_nothing()
  local text = "no test has recorded anything"
  if file then said[#said + 1] = "toll: nothing was held to " .. file .. ": " .. text .. "\n" end
  if out and has_run and is_file(out) and os.remove(out) then text = text .. "; the old one is removed" end
  if out then said[#said + 1] = "toll: " .. out .. " is not written: " .. text .. "\n" end
end

busted.subscribe({ "suite", "start" }, remove_parts)
busted.subscribe({ "test", "start" }, function(element)
  has_run = true
  if not is_recorded[element.run] then element.run = recorded(element.run, name_of(element)) end
end)
busted.subscribe({ "test", "end" }, function()
  if toll.running() then toll.stop() end
end)
busted.subscribe({ "suite", "end" }, function()
  if #parts == 0 then
    say_nothing()
    return
  end
  local own = not out and temporary()
  local sum = out or own .. ".pb.gz"
  local ok, why = pcall(sum_up, sum)
  if own then os.remove(own) os.remove(sum) end
  remove_parts()
  if ok then return end
  said[#said + 1] = why .. "\n" -- what shows errors of tests has ended
  error(why, 0)
end)
busted.subscribe({ "exit" }, function() io.stdout:write("\n", table.concat(said)) end)

registry[KEY] = M
return M
