-- SPDX-License-Identifier: BSD-3-Clause
-- The system of figure 1 of Proficz and Czarnul (2015): one node with the master
-- and 12 800 with a slave each, under one network.
return {
	name = "figure 1",
	network = "ethernet-10g",
	{ cpu = "xeon-e5-1620", labels = { master = 1 } },
	{ cpu = "core-i7-2600k", count = 12800, labels = { slave = 1 } },
}
