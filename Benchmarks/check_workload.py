"""Reads a workload before anything is built for it, and says what is wrong with it.

    check_workload.py WORKLOAD CLASSES [--peers]

CLASSES are those that will be asked, parted by commas; all when empty. With --peers each line must
also have what peers are asked with: the question in parts.
"""

import json
import re
import sys

OPERATIONS = ("word", "and", "or", "prefix", "infix", "phrase", "word_range", "range_sort")


def complaint(line, for_peers):
    """What is wrong with one line, or None."""
    try:
        query = json.loads(line.strip())
    except json.JSONDecodeError as error:
        return f"this is no JSON: {error.msg} (byte {error.pos + 1} of the line)"
    except UnicodeDecodeError as error:
        return f"this is no JSON: {error}"
    if not isinstance(query, dict):
        return "this is no JSON object"
    if not re.fullmatch(r"Q[0-9]+", str(query.get("class"))):
        return "it has no class (Q1, Q2 and so on)"
    if not isinstance(query.get("cs"), str):
        return "it has no query (cs)"
    if type(query.get("expect")) is not int:
        return "it has no expected count (expect)"
    if not for_peers:
        return None
    if not 1 <= int(query["class"][1:]) <= 12:
        return f"peers are asked Q1 to Q12, not {query['class']}"
    if query.get("op") not in OPERATIONS:
        return f"peers need its operation (op): one of {', '.join(OPERATIONS)}"
    if type(query.get("limit")) is not int:
        return "peers need its limit"
    ranged = query["op"] in ("word_range", "range_sort")
    if ranged and not all(type(query.get(end)) is int for end in ("lo", "hi")):
        return "peers need its bounds (lo and hi)"
    if query["op"] != "range_sort" and not query.get("terms"):
        return "peers need its words (terms)"
    return None


def main(path, classes="", mode=None):
    found = set()
    with open(path, "rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            wrong = complaint(line, mode == "--peers")
            if wrong:
                raise SystemExit(f"{path}, line {number}: {wrong}")
            found.add(json.loads(line)["class"])
    if not found:
        raise SystemExit(f"{path} has no query: all its lines are blank")
    unknown = [name for name in classes.split(",") if name and name not in found]
    if unknown:
        known = sorted(found, key=lambda name: int(name[1:]))
        raise SystemExit(
            f"the workload has no {', '.join(unknown)}; it has {', '.join(known)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
