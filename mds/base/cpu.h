/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CPU_H
#define BCS_CPU_H

/*
 * What is particular to a kind of processor: waiting in a loop, the counter
 * that is the clock, and return addresses.  All of its instructions are in this
 * file, and in those that are of x86-64 as a whole (callpath_rule.c,
 * closed_syscalls.c).
 *
 * Of each counter: CPU_COUNTER is its name in records, CPU_COUNTER_KERNEL the
 * names under which the kernel uses it as its own clock.
 */
#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>

#define CPU_COUNTER "tsc"
#define CPU_COUNTER_KERNEL         \
	{                          \
		"tsc", "kvm-clock" \
	}

/* Waits some tens of ns, and leaves the core to its other thread. */
static inline void cpu_pause(void)
{
	_mm_pause();
}

static inline uint64_t cpu_counter(void)
{
	return __rdtsc();
}

/* Whether it runs at one speed, whatever the core's. */
static inline bool cpu_counter_even(void)
{
	unsigned a;
	unsigned b;
	unsigned c;
	unsigned d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}

static inline uintptr_t cpu_return_address(uintptr_t saved)
{
	return saved;
}

#elif defined(__aarch64__)

#define CPU_COUNTER "cntvct"
#define CPU_COUNTER_KERNEL         \
	{                          \
		"arch_sys_counter" \
	}

/* `yield` does nothing on most of these cores; `isb` takes some tens of ns. */
static inline void cpu_pause(void)
{
	__asm__ volatile("isb" ::: "memory");
}

static inline uint64_t cpu_counter(void)
{
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}

/* The architecture says so. */
static inline bool cpu_counter_even(void)
{
	return true;
}

/* Removes the signature of a return address (`xpaclri`, once a `nop`). */
static inline uintptr_t cpu_return_address(uintptr_t saved)
{
	register uintptr_t x30 __asm__("x30") = saved;

	__asm__("hint #7" : "+r"(x30));
	return x30;
}

#else

#define CPU_COUNTER "none"
#define CPU_COUNTER_KERNEL \
	{                  \
		"none"     \
	}

static inline void cpu_pause(void)
{
	__asm__ volatile("" ::: "memory");
}

static inline uint64_t cpu_counter(void)
{
	return 0;
}

static inline bool cpu_counter_even(void)
{
	return false;
}

static inline uintptr_t cpu_return_address(uintptr_t saved)
{
	return saved;
}

#endif

#endif
