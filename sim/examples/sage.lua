-- SPDX-License-Identifier: BSD-3-Clause
-- What benchmarks/sage/sage.c does: a shock in a channel of tiles, which are finer
-- where it is and dealt anew to the ranks now and then.  Its messages are those
-- of the program, in its order.  Where the mesh is fine is found out as in the
-- program, but along the channel only; the time of its computation is given:
--   computation  of all ranks together, in ns, as a record of one run has it
--   recorded     the steps of that run
local places = parameter("cells", 128)
local steps = parameter("steps", 400)
local recorded = parameter("recorded", 400)
local computation = parameter("computation", 3.4e9)

local REGRID, SURVEY = 8, 4 -- steps, and regrids with one survey
local FINEST, COLUMNS, ROWS = 2, 2, 64
local VALUES, DOUBLE = 4, 8 -- of a cell, and its bytes
local GAMMA, COURANT = 1.4, 0.4

local function cells_of(level)
	return (COLUMNS << level) * (ROWS << level)
end

local function edge_bytes(level)
	return VALUES * DOUBLE * (ROWS << level)
end

local function bytes_of(level)
	return 2 * DOUBLE + VALUES * DOUBLE * cells_of(level)
end

-- A tile's columns 1 to n, and the neighbours' before and after: density,
-- momentum and energy.
local function tile_new(place)
	local pressure = place <= (places + 7) // 8 and 10 or 0.1
	local tile = { level = 0, d = {}, m = {}, e = {} }

	for i = 0, COLUMNS + 1 do
		tile.d[i], tile.m[i], tile.e[i] = 1.25, 0, pressure / (GAMMA - 1)
	end
	return tile
end

local function pressure_of(d, m, e)
	return (GAMMA - 1) * (e - m * m / d / 2)
end

-- What flows from a to b, by Rusanov.
local function flux(da, ma, ea, db, mb, eb)
	local va, vb = ma / da, mb / db
	local pa = (GAMMA - 1) * (ea - ma * va / 2)
	local pb = (GAMMA - 1) * (eb - mb * vb / 2)
	local speed = math.max(math.abs(va) + (GAMMA * pa / da) ^ 0.5,
		math.abs(vb) + (GAMMA * pb / db) ^ 0.5)

	return (ma + mb - speed * (db - da)) / 2,
		(va * ma + vb * mb + pa + pb - speed * (mb - ma)) / 2,
		(va * (ea + pa) + vb * (eb + pb) - speed * (eb - ea)) / 2
end

local function copy(from, i, to, k)
	to.d[k], to.m[k], to.e[k] = from.d[i], from.m[i], from.e[i]
end

local function columns_beside(tiles)
	for i, tile in ipairs(tiles) do
		local n = COLUMNS << tile.level
		local before, after = tiles[i - 1], tiles[i + 1]

		if before then
			copy(before, COLUMNS << before.level, tile, 0)
		else
			copy(tile, 1, tile, 0)
		end
		copy(after or tile, after and 1 or n, tile, n + 1)
	end
end

-- All columns of a tile go on from those of `at`; what they were is kept.
local function tile_forward(tile, share)
	local d, m, e = tile.d, tile.m, tile.e
	local to = { level = tile.level, d = {}, m = {}, e = {} }
	local fd, fm, fe = flux(d[0], m[0], e[0], d[1], m[1], e[1])

	for i = 1, COLUMNS << tile.level do
		local gd, gm, ge = flux(d[i], m[i], e[i], d[i + 1], m[i + 1],
			e[i + 1])

		to.d[i] = d[i] + share * (fd - gd)
		to.m[i] = m[i] + share * (fm - gm)
		to.e[i] = e[i] + share * (fe - ge)
		fd, fm, fe = gd, gm, ge
	end
	return to
end

local function forward(tiles, seconds)
	local to = {}

	columns_beside(tiles)
	for i, tile in ipairs(tiles) do
		to[i] = tile_forward(tile, seconds * (ROWS << tile.level))
	end
	return to
end

-- Heun's step: the mean of where it begins and of two steps on.
local function step(tiles, seconds)
	local twice = forward(forward(tiles, seconds), seconds)

	for i, tile in ipairs(tiles) do
		for k = 1, COLUMNS << tile.level do
			tile.d[k] = (tile.d[k] + twice[i].d[k]) / 2
			tile.m[k] = (tile.m[k] + twice[i].m[k]) / 2
			tile.e[k] = (tile.e[k] + twice[i].e[k]) / 2
		end
	end
end

local function pace(tiles)
	local least = math.huge

	for _, tile in ipairs(tiles) do
		for i = 1, COLUMNS << tile.level do
			local d, m, e = tile.d[i], tile.m[i], tile.e[i]
			local sound = (GAMMA * pressure_of(d, m, e) / d) ^ 0.5
			local most = math.abs(m / d) + 2 * sound

			least = math.min(least,
				COURANT / (most * (ROWS << tile.level)))
		end
	end
	return least
end

local function rough(tile)
	local most = 0

	for i = 0, COLUMNS << tile.level do
		local a = pressure_of(tile.d[i], tile.m[i], tile.e[i])
		local b = pressure_of(tile.d[i + 1], tile.m[i + 1], tile.e[i + 1])

		most = math.max(most, math.abs(a - b) / (a + b))
	end
	return most
end

-- Nearer by one to the level: each column cut in two, or two made one.
local function adapted(tile, level)
	local finer = level > tile.level
	local to = { level = tile.level + (finer and 1 or -1),
		d = {}, m = {}, e = {} }

	for i = 1, COLUMNS << to.level do
		if finer then
			copy(tile, (i + 1) // 2, to, i)
		else
			for _, name in ipairs{ "d", "m", "e" } do
				to[name][i] = (tile[name][2 * i - 1] +
					tile[name][2 * i]) / 2
			end
		end
	end
	return to
end

local function adapt(tiles, threshold)
	columns_beside(tiles)
	for i, tile in ipairs(tiles) do
		local level, r = FINEST, rough(tile)

		while level > 0 and r < threshold do
			level, r = level - 1, 4 * r
		end
		if level ~= tile.level then
			tiles[i] = adapted(tile, level)
		end
	end
end

local function survey(tiles, threshold)
	local fine = 0

	for _, tile in ipairs(tiles) do
		fine = fine + (tile.level == FINEST and 1 or 0)
	end
	threshold = threshold * (16 * fine > places and 1.25 or 0.8)
	return math.min(math.max(threshold, 0.01), 0.2)
end

local function mesh_of(tiles)
	local mesh = { cells = 0 }

	for i, tile in ipairs(tiles) do
		mesh[i] = tile.level
		mesh.cells = mesh.cells + cells_of(tile.level)
	end
	return mesh
end

-- The levels of all tiles at first (0) and after each regrid.
local function meshes_make()
	local tiles, threshold, meshes = {}, 0.05, {}

	for place = 1, places do
		tiles[place] = tile_new(place)
	end
	meshes[0] = mesh_of(tiles)
	local seconds = pace(tiles)
	for i = 0, math.max(steps, recorded) - 1 do
		if i % REGRID == 0 then
			if i // REGRID % SURVEY == 0 then
				threshold = survey(tiles, threshold)
			end
			adapt(tiles, threshold)
			meshes[i // REGRID + 1] = mesh_of(tiles)
		end
		step(tiles, seconds)
		seconds = pace(tiles)
	end
	return meshes
end

local meshes = meshes_make()

-- Seconds of a cell and step, with all that is done besides.
local function cell_seconds()
	local all = 0

	for i = 0, recorded - 1 do
		all = all + meshes[i // REGRID + 1].cells
	end
	return 1e-9 * computation / all
end

local cell = cell_seconds()

-- The owners of all tiles: first as many each, then as many cells.
local function owners_first(size)
	local owners = {}

	for rank = 0, size - 1 do
		for i = places * rank // size + 1, places * (rank + 1) // size do
			owners[i] = rank
		end
	end
	return owners
end

local function owners_of(mesh, size)
	local owners, before = {}, 0

	for i = 1, places do
		local has = cells_of(mesh[i])

		owners[i] = (2 * before + has) * size // (2 * mesh.cells)
		before = before + has
	end
	return owners
end

-- What a rank has of a mesh, and who is beside it, there with which level.
local function part_of(mesh, owners, rank)
	local part = { rank = rank, cells = 0, tiles = 0, beside = {}, level = {} }

	for i = 1, places do
		if owners[i] == rank then
			if part.tiles == 0 then
				part.beside[1] = owners[i - 1]
				part.level[1] = mesh[i]
			end
			part.beside[2] = owners[i + 1]
			part.level[2] = mesh[i]
			part.tiles = part.tiles + 1
			part.cells = part.cells + cells_of(mesh[i])
		end
	end
	return part
end

-- The most that any rank sends to one, itself or another.
local function moved(mesh, from, to)
	local parcels, most = {}, 0

	for i = 1, places do
		local key = from[i] * places + to[i]

		parcels[key] = (parcels[key] or 0) + bytes_of(mesh[i])
		most = math.max(most, parcels[key])
	end
	return most
end

local function exchange(part)
	local requests = {}

	for side = 1, 2 do
		local beside = part.beside[side]

		if beside then
			table.insert(requests, irecv{ from = "rank", index = beside })
			table.insert(requests, isend{ to = "rank", index = beside,
				bytes = edge_bytes(part.level[side]) })
		end
	end
	wait(table.unpack(requests))
end

local function tell_levels(part, size)
	if part.rank == 0 then
		for _ = 2, size do
			recv{ tag = 1 }
		end
	else
		send{ to = "rank", index = 0, tag = 1, bytes = 4 * part.tiles }
	end
	bcast{ root = "rank", index = 0, bytes = 8 }
end

local function regrid(number, part, owners, size)
	local mesh = meshes[number + 1]
	local dealt = owners_of(mesh, size)

	if number % SURVEY == 0 then
		tell_levels(part, size)
	end
	exchange(part)
	allgather{ bytes = 4 }
	alltoall{ bytes = 4 }
	alltoall{ bytes = moved(mesh, owners, dealt) }
	allgather{ bytes = 4 }
	return part_of(mesh, dealt, part.rank), dealt
end

label("rank", 2, function(me)
	local owners = owners_first(me.count)
	local part = part_of(meshes[0], owners, me.index)

	allreduce{ bytes = 8 }
	for i = 0, steps - 1 do
		if i % REGRID == 0 then
			part, owners = regrid(i // REGRID, part, owners, me.count)
		end
		for _ = 1, 2 do
			exchange(part)
			delay(cell * part.cells / 2)
		end
		allreduce{ bytes = 8 }
	end
end)
