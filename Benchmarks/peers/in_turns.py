"""The engine and one peer in turns, class by class: ratios that a machine of changing speed shows.

    in_turns.py PEER DATA WORKLOAD FOLDER ROUNDS CLASSES COMMAND...

COMMAND is our program with its documents, workload, index and name; CLASSES are parted by commas,
all of the workload when empty.
Each round asks a class of the peer and then of us, each query three times, the best time counting.
Prints for each class the median of the rounds' ratios (ours to the peer's; below 1 we are faster)
with the least and the greatest, of p50, p99 and mean.
"""

import importlib
import os
import statistics
import subprocess
import sys
import tempfile

import in_process
import workload


def ours(command, kind):
    """p50, p99 and mean of our queries of a class, in microseconds."""
    with tempfile.NamedTemporaryFile("r") as each:
        subprocess.run(
            [*command, "--classes", kind, "--runs", "3", "--unchecked", "--each", each.name],
            check=True, stdout=subprocess.DEVNULL)
        lines = [line.split("\t") for line in each]
    return workload.summary([int(line[1]) / 1000 for line in lines if line[0] == kind])


def main(name, data, queries, folder, rounds, kinds, *command):
    asked = workload.queries(queries)
    kinds = kinds or ",".join(kind for kind in asked if asked[kind])
    unknown = [kind for kind in kinds.split(",") if not asked.get(kind)]
    if unknown:
        raise SystemExit(f"the workload has no {', '.join(unknown)}; it has {', '.join(asked)}")
    if name not in in_process.PEERS:
        raise SystemExit(
            f"no peer in process is called {name}; there are {', '.join(in_process.PEERS)}")
    module, type_name = in_process.PEERS[name]
    try:
        made = getattr(importlib.import_module(module), type_name)
    except ModuleNotFoundError as error:
        raise SystemExit(f"{error}: make bench-peers PEERS={name} installs it") from error
    os.makedirs(folder, exist_ok=True)
    peer = made(data, folder)
    print(f"ratio to {name}, median (least to greatest) of {rounds} rounds in turns")
    for kind in kinds.split(","):
        if not all(peer.can(query) for query in asked[kind]):
            print(f"{kind:4} is not for {name}: it cannot answer all of it")
            continue
        ratios = {figure: [] for figure in ("p50", "p99", "mean")}
        times = []
        for _ in range(int(rounds)):
            theirs = workload.measure(peer.search, asked[kind], rounds=3)
            mine = ours(command, kind)
            times.append((mine["p50"], theirs["p50"]))
            for figure, values in ratios.items():
                values.append(mine[figure] / theirs[figure])
        columns = (
            f"{figure} {statistics.median(values):5.2f} ({min(values):.2f} to {max(values):.2f})"
            for figure, values in ratios.items())
        mine, theirs = (statistics.median(side) for side in zip(*times))
        print(f"{kind:4}", "  ".join(columns), f" p50 {mine:.1f} to {theirs:.1f} µs", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
