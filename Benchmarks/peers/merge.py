"""Puts the lines of one peer into the file of all peers' lines, in the place of its former ones.

    merge.py LINES NEW FILES ORDER

NEW has the lines of JSON that a peer printed, one for each way to ask it. FILES stands for the
documents and queries: lines of other ones, which an earlier run of the same name may have left, go.
ORDER has all peers' names, with spaces between.
"""

import datetime
import json
import os
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def server(peer):
    """The name of the peer that is asked in a way."""
    return peer.get("of", peer["peer"])


def main(lines, new, files, order):
    try:
        measured = read(new)
    except ValueError as error:
        raise SystemExit(f"it printed other than lines of numbers: {error}") from error
    if not measured:
        raise SystemExit("it printed no line of numbers")
    for way in measured:
        way |= {"files": files, "measured": datetime.date.today().isoformat()}
    former = read(lines) if os.path.exists(lines) else []
    replaced = {server(way) for way in measured}
    kept = [
        peer for peer in former
        if server(peer) not in replaced and peer.get("files") == files]
    names = order.split()
    peers = sorted([*kept, *measured], key=lambda peer: names.index(server(peer)))
    # Beside it and then in its place, so that an interrupted run leaves what was there.
    with open(f"{lines}.part", "w", encoding="utf-8") as out:
        out.writelines(json.dumps(peer, ensure_ascii=False) + "\n" for peer in peers)
    os.replace(f"{lines}.part", lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
