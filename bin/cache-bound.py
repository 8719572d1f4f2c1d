#!/usr/bin/env python3
"""The least that caches can read from disk, for downloads of SPECweb2005's Support site.

A cache that knows the popularity of all files, and keeps those with the most requests in memory,
reads the least. Prints which share of the requested bytes it reads, for one that keeps files as
they are and for one of which all are compressed to 0.4, and the second as a part of the first.
Sizes and shares are those of lab/experiments' SupportFiles; directories are drawn by Zipf's law.

usage: cache-bound.py [alpha...]
"""

import sys

DIRECTORIES = 200
COMPRESSED = 0.4
CLASSES = [
    (0.1366, 104_858, 104_858, [0.273, 0.091, 0.165, 0.186, 0.285]),
    (0.1261, 629_146, 125_829, [0.579, 0.178, 0.243]),
    (0.2840, 1_048_576, 492_831, [0.275, 0.170, 0.170, 0.385]),
    (0.2232, 4_194_304, 1_352_663, [0.667, 0.333]),
    (0.1250, 9_992_929, 0, [1]),
    (0.1051, 37_748_736, 0, [1]),
]
FILES = [
    (share * part, first + number * step)
    for share, first, step, parts in CLASSES
    for number, part in enumerate(parts)
]


def site(alpha):
    """Returns requests and size of each file, the most requested first."""
    weights = [rank**-alpha for rank in range(1, DIRECTORIES + 1)]
    whole = sum(weights)
    return sorted(
        ((weight / whole * share, size) for weight in weights for share, size in FILES),
        key=lambda file: -file[0],
    )


def missed(files, memory):
    """Returns the share of the requested bytes that are not in memory."""
    requested = sum(share * size for share, size in files)
    hit = 0
    for share, size in files:
        kept = min(size, memory)
        hit += share * kept
        memory -= kept
    return 1 - hit / requested


def main():
    for alpha in [float(word) for word in sys.argv[1:]] or [0.4, 0.8, 1.2]:
        files = site(alpha)
        size = sum(size for _, size in files)
        print(f"alpha {alpha}")
        for times in [3, 3.4, 4, 5, 7, 10, 20, 40]:
            plain = missed(files, size / times)
            compressed = missed(files, min(size, size / times / COMPRESSED))
            print(f"  site {times:4} times memory: {plain:.2f} {compressed:.2f} {compressed / plain:.2f}")


main()
