-- Counts a use for each customer of a file of tokens in turn; each thread has its own share of them.
local path
for line in io.lines(os.getenv("WRK_PATHS")) do path = line end
local threads, turn = {}, 0

function setup(thread)
  thread:set("turn", turn)
  turn = turn + 1
  table.insert(threads, thread)
end

local ready = {}
function init()
  local lines = {}
  for line in io.lines(os.getenv("WRK_HEADERS")) do lines[#lines + 1] = line end
  local step = #lines > 1 and 2 or 1
  for i = 1 + turn % step, #lines, step do
    local name, value = lines[i]:match("^(.-): (.*)$")
    ready[#ready + 1] = wrk.format("POST", path, { [name] = value, ["Content-Type"] = "application/json" }, "{}")
  end
end

local next = 0
function request()
  next = next % #ready + 1
  return ready[next]
end
