"""Documents and queries of a benchmark, and what is measured of a query."""

import dataclasses
import json
import os
import subprocess
import time

CLASSES = [f"Q{number}" for number in range(1, 13)]
# Whether peers know documents by the catalogue's identifiers, as we do, and are asked for all of
# those of a word; else by numbers, in all classes.
IDENTIFIED = bool(os.environ.get("IDENTIFIERS"))


@dataclasses.dataclass(frozen=True)
class Query:
    """One line of a workload: `op` says which fields mean something."""

    kind: str  # Q1 ... Q12
    op: str  # word, and, or, prefix, infix, phrase, word_range, range_sort
    terms: tuple
    low: int
    high: int
    limit: int  # 0 asks for the count (Q10, Q12) or for all identifiers (Q11)
    expect: int

    @property
    def counts(self):
        return self.kind in ("Q10", "Q12")

    @property
    def streams(self):
        return self.kind == "Q11"

    @property
    def hits(self):
        """How many hits a right answer has."""
        if self.counts:
            return 0
        return self.expect if self.streams else min(self.limit, self.expect)


def queries(path, most=None):
    """The queries of a workload by class, at most `most` of each."""
    found = {kind: [] for kind in (["Q11"] if IDENTIFIED else CLASSES)}
    with open(path, encoding="utf-8") as lines:
        for line in map(json.loads, filter(str.strip, lines)):
            of_kind = found.get(line["class"])
            if of_kind is not None and (most is None or len(of_kind) < most):
                of_kind.append(
                    Query(
                        line["class"], line["op"], tuple(line.get("terms", ())),
                        line.get("lo", 0), line.get("hi", 0), line["limit"], line["expect"]))
    return found


def documents(path):
    """(number, text, n) of every document; `path` may be packed by zstd."""
    for number, (_, text, n) in enumerate(identified(path)):
        yield number, text, n


def identified(path):
    """(identifier, text, n) of every document."""
    unpack = subprocess.Popen(
        ["zstd", "-dcfq", path], stdout=subprocess.PIPE, encoding="utf-8", text=True)
    with unpack.stdout as lines:
        for line in lines:
            document = json.loads(line)
            attributes = document["attributes"]
            text = attributes.get("contentDescription", "")
            yield document.get("uniqueIdentifier", ""), text, attributes.get("com_bench_n", 0)
    if unpack.wait() != 0:
        raise SystemExit(f"zstd could not unpack {path}")


def quantile(values, part):
    """The value that `part` (0...1) of the sorted values do not exceed."""
    return values[min(len(values) - 1, int(part * len(values)))]


def summary(times):
    """p50, p99 and mean of times."""
    times = sorted(times)
    return {
        "p50": round(quantile(times, 0.5), 1),
        "p99": round(quantile(times, 0.99), 1),
        "mean": round(sum(times) / len(times), 1),
    }


def is_wrong(query, hits, count):
    """Whether an answer differs from the workload's; `count` is None where a peer has none."""
    return (query.counts and count != query.expect) or (not query.counts and hits != query.hits)


def measure(search, asked, rounds=5):
    """Processor time of this thread for each query, the best of all rounds, in microseconds.

    `search(query)` gives (number of hits, count or None).
    """
    best = [float("inf")] * len(asked)
    wrong = 0
    for turn in range(rounds):
        for position, query in enumerate(asked):
            before = time.thread_time_ns()
            hits, count = search(query)
            took = (time.thread_time_ns() - before) / 1000
            best[position] = min(best[position], took)
            wrong += turn == 0 and is_wrong(query, hits, count)
    return {**summary(best), "wrong": wrong, "queries": len(asked)}
