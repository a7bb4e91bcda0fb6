-- SPDX-License-Identifier: BSD-3-Clause
-- What benchmarks/sweep/sweep.c does: particles through N x N x N cells, cut into
-- columns, one a rank.  Its messages are those of the program, in its order; the
-- time of its computation is given, in ns, as a record of one run has it:
--   angle   of a step, for each cell and angle
--   cell    of all that is done once an iteration, for each cell
local n = parameter("n", 64)
local iterations = parameter("iterations", 8)
local blocking = parameter("blocking", 1) ~= 0
local angle = parameter("angle", 2)
local cell = parameter("cell", 3)

local STEPS, ANGLES = 32, 8 -- in an iteration, and of a block

local function first(parts, i)
	return n * i // parts
end

-- As MPI_Dims_create has it for two dimensions: the first is the greater.
local function sides_of(size)
	local y = math.floor(math.sqrt(size))

	while size % y ~= 0 do
		y = y - 1
	end
	return size // y, y
end

-- The column of a rank, and its neighbours across X and Y.
local function part_of(rank, size)
	local sides_x, sides_y = sides_of(size)
	local x, y = rank % sides_x, rank // sides_x

	return {
		cells_x = first(sides_x, x + 1) - first(sides_x, x),
		cells_y = first(sides_y, y + 1) - first(sides_y, y),
		before = { x > 0 and rank - 1, y > 0 and rank - sides_x },
		after = { x + 1 < sides_x and rank + 1,
			y + 1 < sides_y and rank + sides_x },
	}
end

-- Where what a step needs comes from, where it goes to, and how much it is.
local function step_of(part, number)
	local octant = number // 4
	local forward = { octant & 4 == 0, octant & 2 == 0 }
	local which = number % 2
	local planes = first(2, which + 1) - first(2, which)
	local step = {
		from = {}, to = {},
		bytes = { 8 * ANGLES * planes * part.cells_y,
			8 * ANGLES * planes * part.cells_x },
		seconds = 1e-9 * angle * ANGLES * planes * part.cells_x *
			part.cells_y,
	}

	for axis = 1, 2 do
		step.from[axis] = forward[axis] and part.before[axis] or
			not forward[axis] and part.after[axis]
		step.to[axis] = forward[axis] and part.after[axis] or
			not forward[axis] and part.before[axis]
	end
	return step
end

local function sweep_blocking(part)
	for number = 0, STEPS - 1 do
		local step = step_of(part, number)

		for axis = 1, 2 do
			if step.from[axis] then
				recv{ from = "rank", index = step.from[axis], tag = axis }
			end
		end
		delay(step.seconds)
		for axis = 1, 2 do
			if step.to[axis] then
				send{ to = "rank", index = step.to[axis], tag = axis,
					bytes = step.bytes[axis] }
			end
		end
	end
end

local function receive(part, number)
	local step = step_of(part, number)
	local requests = {}

	for axis = 1, 2 do
		if step.from[axis] then
			table.insert(requests,
				irecv{ from = "rank", index = step.from[axis], tag = axis })
		end
	end
	return requests
end

local function send_all(step)
	local requests = {}

	for axis = 1, 2 do
		if step.to[axis] then
			table.insert(requests,
				isend{ to = "rank", index = step.to[axis],
					tag = axis, bytes = step.bytes[axis] })
		end
	end
	return requests
end

-- What a step sends has the next step's time to leave.
local function sweep_nonblocking(part)
	local receives = receive(part, 0)
	local sends = { {}, {} }

	for number = 0, STEPS - 1 do
		local step = step_of(part, number)
		local of = number % 2 + 1

		wait(table.unpack(receives))
		wait(table.unpack(sends[of]))
		if number + 1 < STEPS then
			receives = receive(part, number + 1)
		end
		delay(step.seconds)
		sends[of] = send_all(step)
	end
	wait(table.unpack(sends[1]))
	wait(table.unpack(sends[2]))
end

label("rank", 4, function(me)
	local part = part_of(me.index, me.count)

	for iteration = 1, iterations do
		delay(1e-9 * cell * n * part.cells_x * part.cells_y)
		if blocking then
			sweep_blocking(part)
		else
			sweep_nonblocking(part)
		end
		allreduce{ bytes = 8 }
	end
end)
