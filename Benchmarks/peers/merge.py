"""Puts the line of one peer into the file of all peers' lines, in the place of its former one.

    merge.py LINES NEW FILES ORDER

NEW has the line of JSON that a peer printed. FILES stands for the documents and queries: lines of
other ones, which an earlier run of the same name may have left, go. ORDER has all peers' names,
with spaces between.
"""

import datetime
import json
import os
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def main(lines, new, files, order):
    try:
        (measured,) = read(new)
    except ValueError as error:
        raise SystemExit(f"it printed no line of numbers: {error}") from error
    measured |= {"files": files, "measured": datetime.date.today().isoformat()}
    former = read(lines) if os.path.exists(lines) else []
    kept = [
        peer for peer in former
        if peer["peer"] != measured["peer"] and peer.get("files") == files]
    names = order.split()
    peers = sorted([*kept, measured], key=lambda peer: names.index(peer["peer"]))
    # Beside it and then in its place, so that an interrupted run leaves what was there.
    with open(f"{lines}.part", "w", encoding="utf-8") as out:
        out.writelines(json.dumps(peer, ensure_ascii=False) + "\n" for peer in peers)
    os.replace(f"{lines}.part", lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
