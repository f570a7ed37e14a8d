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


FIGURES = ("p50", "p99", "mean")


def owners(measured):
    """Whose the least figures of a class are: one name, or names with their figures."""
    figures = {}
    for figure in FIGURES:
        owner = min((found[figure], name) for found, name in measured)[1]
        figures.setdefault(owner, []).append(figure)
    if len(figures) == 1:
        return next(iter(figures))
    return ", ".join(f"{name} ({', '.join(of)})" for name, of in figures.items())


def in_process(peers):
    """The least of every class and figure; peers that cannot ask all queries of a class are out."""
    table = {}
    for kind in CLASSES:
        whole = [
            (peer["classes"][kind], peer["peer"]) for peer in rows(peers, served=False)
            if peer["classes"].get(kind, {}).get("whole")]
        if whole:
            table[kind] = {
                figure: min(measured[figure] for measured, _ in whole) for figure in FIGURES}
            table[kind]["peer"] = owners(whole)
    return table


def asked(peers):
    """Served peers that compute each answer."""
    return [peer for peer in peers if not peer.get("keeps")]


def shipped(peers):
    """Served peers as they come: those that keep answers as many as they keep by themselves."""
    keeping = {peer["of"] for peer in peers if peer["peer"].endswith("-shipped")}
    return [
        peer for peer in peers if peer["peer"].endswith("-shipped")
        or peer.get("of") not in keeping and not peer.get("keeps")]


def is_mostly_right(measured):
    """Whether at most a tenth of the answers are others than expected.

    What a word is and what a letter folds to differs from engine to engine, also in ours.
    """
    return measured["wrong"] * 10 <= measured.get("asked", 0)


def over_sockets(peers):
    """The peer of the largest rate, with its times, of every class and number of clients.

    Who gave many wrong answers is not it, unless all did.
    """
    table = {}
    for kind in CLASSES:
        for clients in ("1", "8", "32"):
            measured = [
                (peer["classes"][kind][clients], peer["peer"])
                for peer in peers if kind in peer["classes"]]
            measured = [pair for pair in measured if is_mostly_right(pair[0])] or measured
            if measured:
                found, name = max(measured, key=lambda pair: (pair[0]["rate"], pair[1]))
                table.setdefault(kind, {})[clients] = {
                    "rate": found["rate"], "p50": found["p50"], "p99": found["p99"],
                    "peer": name}
    return table


def source(peers):
    """Which peers were measured, and when."""
    peers = list(peers)
    days = sorted({peer["measured"] for peer in peers})
    versions = dict.fromkeys(peer["version"] for peer in peers)
    return f"best of {', '.join(versions)}, measured on this machine on {' and '.join(days)}"


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
    today = datetime.date.today().isoformat()
    for peer in peers:
        size = peer.get("bytes") or peer.get("memoryBytes")
        what = "on disk" if "bytes" in peer else "resident (proportional)"
        former = "" if peer["measured"] == today else f", measured on {peer['measured']}"
        print(
            f"{peer['peer']:16} {peer['version']}: built in {peer['buildSeconds']} s, "
            f"{size / 1e6:.1f} MB {what}{former}")
    if alone:
        show("in process, one thread: processor time, p50 / p99 in µs", alone, engine_cell)
    if servers:
        show("served: queries a second with 1 / 8 / 32 clients", servers, rate_cell)
        show("served: p99 in µs with 1 / 8 / 32 clients", servers, slow_cell)
    # A part that nobody was asked for is left out, so that the stored numbers stand in for it.
    told = {}
    if alone:
        sizes = {peer["peer"]: peer["bytes"] for peer in rows(peers, False)}
        told |= {
            "source": source(rows(peers, False)), "catalogues": {name: in_process(peers)},
            "indexBytes": {name: sizes}}
    if servers:
        served = list(rows(peers, True))
        told |= {
            "servedSource": source(served),
            "served": {name: over_sockets(asked(served))},
            "servedShipped": {name: over_sockets(shipped(served))},
            "servedKept": {name: over_sockets(served)},
            "servedBytes": {name: {peer["peer"]: peer["memoryBytes"] for peer in served}}}
    with open(out, "w", encoding="utf-8") as file:
        json.dump(told, file, indent=1, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
