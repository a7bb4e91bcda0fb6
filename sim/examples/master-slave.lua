-- SPDX-License-Identifier: BSD-3-Clause
-- A master gives work to slaves and takes back what comes of it, as in figure 2
-- of Proficz and Czarnul (2015).  All slaves do the same, so that they are
-- simulated as one.
local work = parameter("work", 1e9)    -- bytes of input, in all
local rounds = parameter("rounds", 10)
local per_byte = parameter("per_byte", 1e5) -- instructions

label("master", 1, function(me)
	read{ bytes = work }
	for round = 1, rounds do
		send{ to = "slave", bytes = work / rounds / count("slave") }
		recv{ from = "slave" }
		compute{ operations = 1000 * count("slave") }
	end
	write{ bytes = work / 100 }
end)

label("slave", 12800, function(me)
	for round = 1, rounds do
		recv{ from = "master" }
		compute{
			data = work / rounds / me.count,
			operations = function(data) return per_byte * data end,
		}
		send{ to = "master", bytes = work / rounds / me.count / 100 }
	end
end)
