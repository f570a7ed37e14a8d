"""One server on loopback: builds its index, asks every class in each way that the server can be
asked, prints one line of JSON a way.

    served.py PEER DATA WORKLOAD FOLDER [SECONDS [QUERIES]]

A peer has `ways()`: by name a function that gives who dials and makes requests, and starts a server
where it is not there; a name that ends in -cached is of a server that keeps answers. They are asked
one after another, so that each has the machine and its memory for itself.
"""

import contextlib
import importlib
import json
import sys
import time

import load
import workload

CLIENTS = (1, 8, 32)


def memory(leader):
    """Proportional share of memory of a server's processes, in bytes."""
    total = 0
    for number in load.family(leader):
        try:
            with open(f"/proc/{number}/smaps_rollup") as file:
                total += sum(int(line.split()[1]) for line in file if line.startswith("Pss:"))
        except (OSError, ProcessLookupError):
            continue
    return total * 1024


def main(name, data, queries, folder, seconds="3", most=None):
    module = importlib.import_module(f"{name}_peer")
    started = time.monotonic()
    with contextlib.ExitStack() as stack:
        peer = module.Peer(data, folder, stack)
        built = time.monotonic() - started
        for way, start in peer.ways().items():
            with contextlib.ExitStack() as alone:
                protocol = start(alone)
                classes = {
                    kind: measure(protocol, asked, float(seconds), way.endswith("-cached"))
                    for kind, asked in workload.queries(queries, most and int(most)).items()}
                print(
                    json.dumps(
                        {
                            "peer": way, "of": name, "keeps": way.endswith("-cached"),
                            "version": peer.version, "buildSeconds": round(built, 1),
                            "memoryBytes": memory(protocol.server.leader), "classes": classes}),
                    flush=True)


def measure(protocol, asked, seconds, keeps):
    """One class, by numbers of clients."""
    requests = [(protocol.request(query), query) for query in asked]
    if keeps:
        load.warm(protocol, requests)
    return {
        clients: load.measure(protocol, requests, clients, seconds, protocol.server.leader)
        for clients in CLIENTS}


if __name__ == "__main__":
    main(*sys.argv[1:])
