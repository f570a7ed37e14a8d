"""One peer in this process: builds its index, asks every class, prints one line of JSON.

    in_process.py PEER DATA WORKLOAD FOLDER [QUERIES]
"""

import importlib
import json
import os
import sys
import time

import workload

PEERS = {
    "tantivy": ("tantivy_peer", "Peer"),
    "fts5": ("sqlite_peer", "Peer"),
    "fts5-trigram": ("sqlite_peer", "Trigrams"),
    "xapian": ("xapian_peer", "Peer"),
}


def size(folder):
    """Bytes of all files below a folder."""
    return sum(
        os.path.getsize(os.path.join(path, name))
        for path, _, names in os.walk(folder)
        for name in names)


def main(name, data, queries, folder, most=None):
    module = importlib.import_module(PEERS[name][0])
    started = time.monotonic()
    peer = getattr(module, PEERS[name][1])(data, folder)
    built = time.monotonic() - started
    classes = {}
    for kind, asked in workload.queries(queries, most and int(most)).items():
        able = [query for query in asked if peer.can(query)]
        if able:
            classes[kind] = workload.measure(peer.search, able)
            classes[kind]["whole"] = len(able) == len(asked)
    print(
        json.dumps(
            {
                "peer": name, "version": module.NAME, "buildSeconds": round(built, 1),
                "bytes": size(folder), "classes": classes}))


if __name__ == "__main__":
    main(*sys.argv[1:])
