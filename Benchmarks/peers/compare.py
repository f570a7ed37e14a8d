"""The measured lines of all peers as one table and one file.

    compare.py NAME LINES OUT    LINES has a line of JSON a peer; OUT is read by our benchmarks
"""

import datetime
import json
import os
import platform
import sys

from workload import CLASSES


def rows(peers, served):
    for peer in peers:
        if ("memoryBytes" in peer) == served:
            yield peer


def best(values, largest=False):
    """(value, peer) of the best of [(value, peer)], or None."""
    return (max if largest else min)(values, default=None)


def in_process(peers):
    """The best of every class and figure; peers that cannot ask all queries of a class are out."""
    table = {}
    for kind in CLASSES:
        whole = [
            (peer["classes"][kind], peer["peer"]) for peer in rows(peers, served=False)
            if peer["classes"].get(kind, {}).get("whole")]
        if whole:
            table[kind] = {
                figure: min(measured[figure] for measured, _ in whole)
                for figure in ("p50", "p99", "mean")}
            table[kind]["peer"] = min((measured["p50"], name) for measured, name in whole)[1]
    return table


def over_sockets(peers):
    """The largest rate and the smallest p50 and p99 of every class and number of clients."""
    table = {}
    for kind in CLASSES:
        for clients in ("1", "8", "32"):
            measured = [
                (peer["classes"][kind][clients], peer["peer"])
                for peer in rows(peers, served=True) if kind in peer["classes"]]
            if measured:
                table.setdefault(kind, {})[clients] = {
                    "rate": max(found["rate"] for found, _ in measured),
                    "p50": min(found["p50"] for found, _ in measured),
                    "p99": min(found["p99"] for found, _ in measured),
                    "peer": max((found["rate"], name) for found, name in measured)[1]}
    return table


def show(title, names, cell):
    print(f"\n{title}")
    print("".join(["class".ljust(6), *(name.rjust(27) for name in names)]))
    for kind in CLASSES:
        print("".join([kind.ljust(6), *(cell(name, kind).rjust(27) for name in names)]))


def main(name, lines, out):
    with open(lines, encoding="utf-8") as file:
        peers = [json.loads(line) for line in file if line.strip()]
    by_name = {peer["peer"]: peer for peer in peers}

    def engine_cell(peer, kind):
        found = by_name[peer]["classes"].get(kind)
        if not found:
            return "-"
        mark = "" if found["whole"] else f" ({found['queries']})"
        wrong = f" {found['wrong']} wrong" if found["wrong"] else ""
        return f"{found['p50']} / {found['p99']}{mark}{wrong}"

    def rate_cell(peer, kind):
        found = by_name[peer]["classes"].get(kind)
        if not found:
            return "-"
        wrong = sum(at["wrong"] for at in found.values())
        rates = " / ".join(str(at["rate"]) for at in found.values())
        return rates + (f" {wrong} wrong" if wrong else "")

    def slow_cell(peer, kind):
        found = by_name[peer]["classes"].get(kind)
        return " / ".join(str(round(at["p99"])) for at in found.values()) if found else "-"

    alone = [peer["peer"] for peer in rows(peers, served=False)]
    servers = [peer["peer"] for peer in rows(peers, served=True)]
    print(f"{name} on {os.cpu_count()} processors, {platform.machine()}")
    for peer in peers:
        size = peer.get("bytes") or peer.get("memoryBytes")
        what = "on disk" if "bytes" in peer else "resident (proportional)"
        print(
            f"{peer['peer']:16} {peer['version']}: built in {peer['buildSeconds']} s, "
            f"{size / 1e6:.1f} MB {what}")
    if alone:
        show("in process, one thread: processor time, p50 / p99 in µs", alone, engine_cell)
    if servers:
        show("served: queries a second with 1 / 8 / 32 clients", servers, rate_cell)
        show("served: p99 in µs with 1 / 8 / 32 clients", servers, slow_cell)
    today = datetime.date.today().isoformat()
    source = (
        "best of " + ", ".join(peer["version"] for peer in peers)
        + f", measured on this machine on {today}")
    with open(out, "w", encoding="utf-8") as file:
        json.dump(
            {
                "source": source, "catalogues": {name: in_process(peers)},
                "servedSource": source, "served": {name: over_sockets(peers)}},
            file, indent=1, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
