-- Requests random addresses of a file, signed in as a random person.
local paths, people = {}, {}
for line in io.lines(os.getenv("WRK_PATHS")) do paths[#paths + 1] = line end
for line in io.lines(os.getenv("WRK_HEADERS")) do people[#people + 1] = line end
local ready, turn = {}, 0

function setup(thread)
  turn = turn + 1
  thread:set("seed", turn)
end

function init()
  math.randomseed(seed)
  for i = 1, 4096 do
    local name, value = people[math.random(#people)]:match("^(.-): (.*)$")
    ready[i] = wrk.format("GET", paths[math.random(#paths)], { [name] = value })
  end
end

local next = 0
function request()
  next = next % #ready + 1
  return ready[next]
end
