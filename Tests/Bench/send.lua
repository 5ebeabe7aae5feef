-- Sends ready-made requests from a file for each thread: a length in digits, a line end, the request.
local turn = 0

function setup(thread)
  thread:set("file", os.getenv("WRK_REQUESTS") .. "." .. turn)
  turn = turn + 1
  threads = threads or {}
  table.insert(threads, thread)
end

function init()
  rounds = 0
  input = io.open(file, "rb")
end

function request()
  local length = input:read("*n")
  if not length then
    rounds = rounds + 1
    input:seek("set", 0)
    length = input:read("*n")
  end
  input:read(1)
  return input:read(length)
end

function done()
  local rounds = 0
  for _, thread in ipairs(threads) do rounds = rounds + thread:get("rounds") end
  print("= " .. rounds)
end
