"""One server on loopback: builds its index, asks every class in each way that the server can be
asked, prints one line of JSON a way.

    served.py PEER DATA WORKLOAD FOLDER [SECONDS [QUERIES]]

A peer has `ways()`: by name who dials and makes requests; a name that ends in -cached is of a
server that keeps answers.
"""

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
    peer = module.Peer(data, folder)
    built = time.monotonic() - started
    try:
        classes = {way: {} for way in peer.ways()}
        for kind, asked in workload.queries(queries, most and int(most)).items():
            for way, protocol in peer.ways().items():
                requests = [(protocol.request(query), query) for query in asked]
                classes[way][kind] = {
                    clients: load.measure(
                        protocol, requests, clients, float(seconds), protocol.server.leader)
                    for clients in CLIENTS}
        for way, protocol in peer.ways().items():
            print(
                json.dumps(
                    {
                        "peer": way, "of": name, "keeps": way.endswith("-cached"),
                        "version": peer.version, "buildSeconds": round(built, 1),
                        "memoryBytes": memory(protocol.server.leader),
                        "classes": classes[way]}))
    finally:
        for protocol in peer.ways().values():
            protocol.server.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
