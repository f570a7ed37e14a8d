"""One server on loopback: builds its index, asks every class in each way that the server can be
asked, prints one line of JSON a way.

    served.py PEER DATA WORKLOAD FOLDER [SECONDS [QUERIES]]

A peer has `ways()`: by name a function that gives who dials and makes requests, and starts a server
where it is not there; a name that ends in -cached is of a server that keeps as many answers as a
class has queries, one that ends in -shipped of one that keeps those it keeps by itself. They are
asked one after another, so that each has the machine and its memory for itself.
"""

import contextlib
import importlib
import json
import sys
import time

import load
import workload

CLIENTS = (1, 8, 32)


KEEPING = ("-cached", "-shipped")


def asked_memory(protocol, asked):
    """What a server has in memory when it was asked everything and its clients are still there.

    In bytes, shared pages in proportion: those of a segment that all its processes share count once
    while all are there that have touched them.
    """
    requests = [(protocol.request(query), query) for of in asked.values() for query in of]
    clients = [load.Client(protocol, requests, start) for start in range(8)]
    for number in range(0, len(requests), len(clients)):
        for client in clients:
            client.next = number + clients.index(client)
            client.send()
            while not client.receive():
                pass
    total = memory(protocol.server.leader)
    for client in clients:
        client.connection.close()
    return total


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
                asked = workload.queries(queries, most and int(most))
                keeps = way.endswith(KEEPING)
                classes = {
                    kind: measure(protocol, of_kind, float(seconds), keeps)
                    for kind, of_kind in asked.items()}
                print(
                    json.dumps(
                        {
                            "peer": way, "of": name, "keeps": keeps,
                            "version": peer.version, "buildSeconds": round(built, 1),
                            "memoryBytes": asked_memory(protocol, asked), "classes": classes}),
                    flush=True)


def measure(protocol, asked, seconds, keeps):
    """One class, by numbers of clients: the better of the protocol's runs."""
    requests = [(protocol.request(query), query) for query in asked]
    if keeps:
        load.warm(protocol, requests)
    runs = getattr(protocol, "runs", 1)
    return {
        clients: max(
            (load.measure(protocol, requests, clients, seconds, protocol.server.leader)
                for _ in range(runs if clients > 1 else 1)),
            key=lambda run: run["rate"])
        for clients in CLIENTS}


if __name__ == "__main__":
    main(*sys.argv[1:])
