"""One server on loopback: builds its index, asks every class, prints one line of JSON.

    served.py PEER DATA WORKLOAD FOLDER [SECONDS [QUERIES]]
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
        classes = {}
        for kind, asked in workload.queries(queries, most and int(most)).items():
            requests = [(peer.request(query), query) for query in asked]
            classes[kind] = {
                clients: load.measure(
                    peer, requests, clients, float(seconds), peer.server.leader)
                for clients in CLIENTS}
        print(
            json.dumps(
                {
                    "peer": name, "version": peer.version, "buildSeconds": round(built, 1),
                    "memoryBytes": memory(peer.server.leader), "classes": classes}))
    finally:
        peer.server.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
