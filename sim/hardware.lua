-- SPDX-License-Identifier: BSD-3-Clause
-- Hardware that systems are made of.  A user's file of the same form adds to it
-- or puts something else in its place (--hardware=FILE).
--
-- The parameters are those of table 3 of Proficz and Czarnul (2015), in its
-- units: microseconds, bytes, watts, failures a second.  What an entry does not
-- say is as in `like`: galera+, galera, kask or an entry before it.

-- Cores, hyper-threads and clock as their maker has them; the time of an
-- instruction is Galera+'s by the clock (2.27 GHz there), the power of a node
-- goes from what it takes idle to that of the processor at its limit.
local function processor(name, cores, threads, gigahertz, idle, limit)
	local by_clock = 2.27 / gigahertz

	hardware{
		name = name, like = "galera+",
		p_low = cores, p_hi = threads,
		t_min = 0.00165 * by_clock, t_low = 0.00194 * by_clock,
		t_hi = 3.29e-4 * by_clock, k_hi = 7.96e-5 * by_clock * 24 / threads,
		pw_low = idle, kw_low = (limit - idle) * 0.85 / cores,
		pw_hi = idle + (limit - idle) * 0.7,
		kw_hi = (limit - idle) * 0.3 / threads, pw_max = limit,
	}
end

processor("core-i7-2600k", 4, 8, 3.4, 25, 95)
processor("xeon-e5-1620", 4, 8, 3.6, 35, 130)
processor("xeon-e5-1650", 6, 12, 3.2, 35, 130)
processor("xeon-e5-2670", 8, 16, 2.6, 30, 115)

-- Networks: galera+ is InfiniBand QDR, galera DDR, kask SDR, as measured.
hardware{ name = "infiniband-qdr", like = "galera+" }
hardware{ name = "infiniband-ddr", like = "galera" }
hardware{ name = "infiniband-sdr", like = "kask" }

-- Latency and bandwidth alone, the rest in the same proportion to them.
local function network(name, latency, megabytes)
	local byte = 1 / megabytes

	hardware{
		name = name, like = "galera+", d_tu = 1460,
		t_p2p = latency, k_p2p = byte,
		t_bcast = latency, k_bcast = byte,
		t_scatter = latency, k_scatter = byte, t_gather = latency, k_gather = byte,
		t_alltoall = latency, k_alltoall = byte, t_barrier = 0, k_barrier = 2 * latency,
	}
end

network("ethernet-1g", 50, 118)
network("ethernet-10g", 20, 1180)
network("wan", 20000, 11)

-- Within a node P is the number of processes.
hardware{
	name = "shared-memory", like = "galera+", by_processes = true, d_tu = 64,
	t_p2p = 0.5, k_p2p = 1e-4, t_bcast = 0.5, k_bcast = 1e-4,
	t_scatter = 0.5, k_scatter = 1e-4, t_gather = 0.5, k_gather = 1e-4,
	t_alltoall = 0.5, k_alltoall = 1e-4, t_barrier = 0, k_barrier = 1,
}
