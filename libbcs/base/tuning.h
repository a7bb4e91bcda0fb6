/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TUNING_H
#define BCS_TUNING_H

/*
 * Every constant that was found by measuring, with what a larger value brings
 * and what it costs.  They were found by `bcs bench` and benchmarks/ on two
 * cores of a virtual machine:  Intel Xeon at 2.1 GHz, 2 MiB of L2 cache a core,
 * Linux 6, MPICH 4.0.2.  Values that differ from machine to machine are
 * measured at run time: the time of a pause (demand/wait.c), the bandwidth
 * (strobe/base/strobe_budget.c), the faster of two ways (base/tuner.h).
 *
 * Times are in ns and sizes in bytes unless a line says otherwise.
 */

/*
 * Waiting on demand (demand/wait.c): look, then yield, then sleep.  More looks
 * answer sooner.  More yields save a wake by the kernel, some 5 us.  Both keep
 * the core from others.
 */
#define WAIT_SPINS_NS         25000 /* of looks while each rank has a core, */
#define WAIT_SPINS_CROWDED_NS 1500  /* and while ranks share cores */
#define WAIT_PAUSES           200   /* pauses timed at start, each of which */
#define WAIT_PAUSE_NS_LEAST   6     /* takes at least this long, */
#define WAIT_PAUSE_NS_MOST    125   /* and at most this long */
#define WAIT_YIELDS           50000 /* yields in vain before a sleep, */
#define WAIT_YIELDS_CROWDED   60    /* while ranks share cores, */
#define WAIT_YIELDS_TIGHT     2000  /* and in a row of short waits */
#define WAIT_TURNS_FEW        20  /* looks before a rank shows it is blocked */
#define WAIT_LOOKS_SHOWN      20  /* at what is soon shown; under 1 us */
#define WAIT_VAIN_MOST        500 /* looks for the other side of a stream */

/* Every so many turns a wait lets MPI progress, or lends its core. */
#define WAIT_POKE_EVERY 32
#define WAIT_LEND_EVERY 256
#define WAIT_LEND_TESTS 16 /* of MPI_Test in vain: the program may compute */

/* A longer sleep costs less, and sees later what nobody wakes it for. */
#define WAIT_SLEEP_NS       100000000
#define WAIT_SLEEP_ROOM_NS  100000  /* waits for room in an inbox */
#define WAIT_SLEEP_BLIND_NS 1000000 /* without membarrier() */
#define WAIT_SLEEP_POKE_NS  50000   /* MPI has work: longer and longer, */
#define WAIT_SLEEP_DOUBLES  5       /* by so many doublings */

/*
 * Moving ranks between cores (demand/pair.c, demand/spread.c).  To move sooner
 * helps pairs that share a core, but each move costs some 20 us.
 */
#define PAIR_ROW            32          /* waits in a row for the same rank, */
#define PAIR_WAIT_NS        50000       /* shorter than this on average */
#define PAIR_REST_NS        10000000ull /* from a move to the next, */
#define PAIR_REST_DOUBLES   7       /* longer each time the kernel undoes it */
#define PAIR_LOOK_NS        1000000 /* from a look for a place to the next */
#define SPREAD_REST_NS      125000ull /* between looks for a core, */
#define SPREAD_REST_DOUBLES 10        /* longer each time */

/* The helper thread (demand/helper.c): sooner there, or fewer cores taken. */
#define HELPER_NAP_NS         100000   /* until it looks for room again, */
#define HELPER_LEFT_NS        10000000 /* or at copies that may wait */
#define HELPER_LATE_NS        1000000  /* later than this: its core is taken */
#define HELPER_HOLD_BACK_NS   50000    /* for a thread that soon waits itself */
#define HELPER_REMOTE_NS      500000   /* between looks at other nodes, */
#define HELPER_REMOTE_MOST_NS 8000000  /* longer and longer, up to this */

/* A look at who is blocked takes cache lines from others (demand/slice.c). */
#define SLICE_LOOK_NS 10000

/*
 * An inbox (base/board.h).  Much memory a rank lets senders run ahead; little
 * stays in the cache.
 */
#define BOARD_LINES     16384u  /* cache lines of an inbox; a power of two */
#define BOARD_GIVE_BACK 1024u   /* lines that are given back at a time */
#define BOARD_INLINE    131072u /* most that travels in a descriptor */
#define BOARD_PIECES    4       /* parts of a payload that is shown early, */
#define BOARD_PIECE     4096u   /* of which each is a multiple of this */
#define BOARD_LOOKS     300     /* for such a part before a yield; some us */

/* Shared pages of small collectives: for more of them, more shared memory. */
#define BOARD_PAGE_SETS    32 /* communicators that have pages at a time */
#define BOARD_BCASTS       32 /* broadcasts that a root may be ahead */
#define BOARD_PAGE_BYTES   1024
#define PAGES_MEMBERS_MOST 64 /* above, a tree of messages is faster */
#define PAGES_BCAST_FREE_LOOKS \
	200                  /* for a free page, before messages are sent, */
#define PAGES_BCAST_LOOKS 50 /* and for a broadcast, before one is awaited */

/* A turn (demand/dem.c): doing more at once is cheaper, and shows later. */
#define ENGINE_BATCH        8  /* descriptors */
#define ENGINE_ROOMS        8  /* buffers of early messages that are kept */
#define DEM_AHEAD           4  /* cache lines that are asked for ahead */
#define MATCH_FEW           8  /* early messages that are looked at in turn, */
#define MATCH_BUCKETS_FIRST 64 /* above, a hash: buckets, a power of two */
#define OUTBOX_EARLY_LEAST  2048u /* written at once when it is shown */

/* Copies (base/copy.h).  memcpy uses `rep movsb` from some 2 KiB on. */
#define COPY_FEW    16u   /* by overlapping words */
#define COPY_PIECE  1024u /* of a copy by pieces, */
#define COPY_WHOLE  8192u /* from here on one memcpy is faster */
#define COPY_WINDOW 64    /* parts in a system call; more takes stack */

/* Both sides of a message copy (base/stream.h, demand/p2p/). */
#define STREAM_PIECES      4u
#define STREAM_PIECE       65536u  /* fits into L2 together with the others */
#define P2P_ALONE_BYTES    131072u /* copied between looks for the other side */
#define P2P_BOTH_LEAST     32768u  /* less is not worth the shared words */
#define P2P_BOTH_LOOKS     100     /* for the other side; a few us */
#define P2P_PROTOCOL_LOOKS 20      /* for a receiver that is soon back; 1 us */

/* Trials of another way (base/tuner.h) cost as long as it is the slower one. */
#define TUNER_ROUND  512u /* operations from a trial to the next */
#define TUNER_TRIAL  12u  /* operations of a trial, */
#define TUNER_GLANCE 8u   /* or of one that takes twice as long */
#define TUNER_WARM   6u   /* untimed ones first, which fill the caches */
#define TUNER_EVERY  16u  /* one in so many is timed once a way is settled */

/* Which algorithm a collective takes (demand/coll/): ranks and bytes. */
#define CHOOSE_LINEAR_MOST   64      /* ranks that send to one directly */
#define CHOOSE_STRIPED_ABOVE 8192u   /* each of several ranks folds a part */
#define CHOOSE_TWO_ABOVE     131072u /* each of two ranks folds all of it */
#define CHOOSE_TREE_LEAST    512     /* a tree pays off from here on, */
#define CHOOSE_TREE_RANKS    3 /* above these ranks, bcasts from them on, */
#define CHOOSE_TREE_MOST     131072u /* up to here: then all fetch it at once */
#define CHOOSE_CACHED        131072u /* a piece to fold, which stays in L2 */
#define CHOOSE_PASSED_ON     65536u  /* a piece that a tree passes on */
#define CHOOSE_BETWEEN       524288u /* a piece between nodes */
#define RM_STRIPED_LEAST     131072u /* a stripe each on a node, with */
#define RM_STRIPED_OTHERS    2u      /* so many others there */
#define COLL_LIGHT           16384u  /* folded within a slice */
#define COLL_KEPT            65536u  /* memory kept for the next collective */
#define BBM_OWN_MOST         1048576u /* own part copied before the others' */

/* Between nodes (demand/net/, core/fabric_*.c): memory against waiting. */
#define NET_BLOCK            32768u  /* a block of descriptors */
#define NET_BUFFERS          64u     /* blocks that are made or sent */
#define NET_INLINE           8192u   /* most that travels in a descriptor */
#define NET_RECEIVES         8       /* blocks that are awaited at a time */
#define FABRIC_SPINS         128     /* polls before a yield */
#define FABRIC_PAUSE_NS      16000   /* between polls of the tree, */
#define FABRIC_PAUSE_MOST_NS 1024000 /* longer and longer, up to this */

/* The board of the strobe (strobe_board.h): memory against waiting. */
#define STROBE_RING   2048u  /* descriptors of a process; a power of two */
#define STROBE_ORDERS 4096u  /* of the leader to a process; a power of two */
#define STROBE_SPLITS 64u    /* copies that both sides share, in a slice */
#define STROBE_LOAN   65536u /* memory that may not be read goes in parts */
#define STROBE_REGION 262144 /* what a node has for another in a slice */
#define STROBE_EAGER  8192u  /* most of a message within its descriptor, */
#define STROBE_INLINE 16384u /* and of a process's part of a collective */

/* Copies and sums in a slice (strobe/process/strobe_split.c and others). */
#define STROBE_SPLIT_LEAST   UINT64_C(65536)   /* less is copied by one side */
#define STROBE_SPLIT_PIECE   UINT64_C(262144)  /* taken by either side */
#define STROBE_LONG_COPY     UINT64_C(131072)  /* left to the helper */
#define STROBE_FOLD_PIECE    131072u           /* stays in L2 */
#define STROBE_ASKED_AT_ONCE 32u               /* collectives in a question */
#define STROBE_BUDGET_BYTES  UINT64_C(2097152) /* copied to find the budget, */
#define STROBE_BUDGET_TRIES  3                 /* so often; the best counts */
#define STROBE_BUDGET_LEAST  UINT64_C(65536)   /* of a slice */

/*
 * Threads of the strobe: a shorter sleep is answered sooner, and takes more of
 * the core from the program.
 */
#define STROBE_LEAD_NS            20000   /* awake before a slice begins */
#define STROBE_TURN_NS            100000  /* the least the kernel takes */
#define STROBE_RECEIVER_NAP_NS    100000  /* while no strobe is expected */
#define STROBE_SENDER_NAP_NS      200000  /* until another node has posted */
#define STROBE_STOP_NAP_NS        1000000 /* until all have stopped */
#define STROBE_POKE_NS            1000000 /* MPI, while all stand */
#define STROBE_ORDERS_LOOKS       100     /* at what was ordered, then */
#define STROBE_ORDERS_YIELDS      20      /* yields, then sleeps */
#define STROBE_ORDERS_SLEEP_NS    1000000
#define STROBE_WAIT_SLEEP_NS      50000 /* MPI has work: longer and longer, */
#define STROBE_WAIT_SLEEP_DOUBLES 5     /* by so many doublings */
#define STROBE_WAIT_SLEEP_ALONE   100000000            /* MPI has none */
#define STROBE_STUCK_NS           UINT64_C(5000000000) /* a replay that waits */

#endif
