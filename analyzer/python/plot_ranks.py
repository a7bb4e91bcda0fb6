#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws where the time of each rank went: plot_ranks.py [RECORD [IMAGE]].

An example of the module bcs.  It needs matplotlib.
"""

import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

import bcs


def main(record=None, image="ranks.png"):
    ranks = bcs.table("ranks", record)
    numbers = [rank["rank"] for rank in ranks]
    computed = [rank["computation_ns"] / 1e9 for rank in ranks]
    waited = [(rank["waiting_ns"] or 0) / 1e9 for rank in ranks]
    moved = [rank["communication_ns"] / 1e9 - w for rank, w in zip(ranks, waited)]

    pyplot.bar(numbers, computed, label="computation")
    pyplot.bar(numbers, moved, bottom=computed, label="communication")
    pyplot.bar(
        numbers,
        waited,
        bottom=[c + m for c, m in zip(computed, moved)],
        label="waiting",
    )
    pyplot.xlabel("rank")
    pyplot.ylabel("seconds")
    pyplot.legend()
    pyplot.savefig(image)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except bcs.Error as error:
        sys.exit(f"plot_ranks.py: {error}")
