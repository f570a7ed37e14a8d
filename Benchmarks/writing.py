"""An import through the whole path in turns with another program's build; then rest and cold start.

    writing.py FRESNEL DOCUMENTS FOLDER ROUNDS [COMMAND...]

DOCUMENTS is NDJSON, FOLDER is made and removed in every round. COMMAND builds the index of a peer
from the same documents into the folder that its last argument but one names, with as many threads
as one more argument says, and prints a line of JSON: `indexSeconds` until all is committed,
`buildSeconds` until it is one segment.
"""

import json
import os
import shutil
import subprocess
import sys
import time

# A cluster has come to rest when it uses no more than this much processor for so long: longer than
# the three seconds each after which it merges and gives memory back.
REST_TICKS = 2
REST_SECONDS = 8
# Nothing here takes as long.
LIMIT = 900


class Cluster:
    """`fresnel up` with one worker of one shard."""

    def __init__(self, program, folder):
        self.program = program
        self.process = subprocess.Popen(
            [program, "up", "--workers", "1", "--shards", "1", "--data", folder,
             "--listen", "tcp://127.0.0.1:0"],
            stdout=subprocess.PIPE, text=True)
        words = self.process.stdout.readline().split()
        if len(words) < 2:
            self.process.wait()
            raise SystemExit("the cluster did not start; what it said stands above")
        self.endpoint = words[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Ends it and waits for that, so that nobody writes where the folder is removed."""
        self.process.terminate()
        self.process.wait()

    def run(self, *arguments):
        return subprocess.run(
            [self.program, *arguments, "--broker", self.endpoint], capture_output=True, text=True)

    def processes(self):
        """The broker's and the worker's numbers, by their names."""
        children = subprocess.run(
            ["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout
        named = {}
        for number in children.split():
            with open(f"/proc/{number}/cmdline") as file:
                named[file.read().split("\0")[1]] = int(number)
        return named

    def wait(self, seconds, is_done, what):
        """Seconds until `is_done`, from now."""
        start = time.monotonic()
        while not is_done():
            time.sleep(0.005)
            if time.monotonic() - start > seconds or self.process.poll() is not None:
                raise SystemExit(f"the cluster did not {what} within {seconds} s")
        return time.monotonic() - start

    def rest(self):
        quiet, last = 0, self.ticks()
        deadline = time.monotonic() + LIMIT
        while quiet < REST_SECONDS:
            if time.monotonic() > deadline:
                raise SystemExit(f"the cluster did not come to rest within {LIMIT} s")
            time.sleep(1)
            now = self.ticks()
            quiet = quiet + 1 if now - last <= REST_TICKS else 0
            last = now

    def ticks(self):
        total = 0
        for number in self.processes().values():
            with open(f"/proc/{number}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
        return total


def proportional_bytes(process):
    """What a process has in memory, shared pages in proportion."""
    with open(f"/proc/{process}/smaps_rollup") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))


def stored_bytes(folder):
    return sum(
        os.path.getsize(os.path.join(path, name))
        for path, _, names in os.walk(folder) for name in names)


def drop_caches():
    """Has the system forget what it has read; only its administrator may."""
    try:
        os.sync()
        with open("/proc/sys/vm/drop_caches", "w") as file:
            file.write("3")
        return True
    except OSError:
        return False


def imported(cluster, documents):
    """The seconds that `fresnel index` took."""
    start = time.monotonic()
    done = cluster.run("index", documents)
    if done.returncode != 0:
        raise SystemExit(f"the import ended with {done.returncode}: {done.stderr.strip()}")
    return time.monotonic() - start


def built(command, threads):
    """The seconds that a peer's build took: until all was committed, and until one segment was."""
    target = command[-2]
    shutil.rmtree(target, ignore_errors=True)
    os.makedirs(target)
    done = subprocess.run([*command, str(threads)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"the peer ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    shutil.rmtree(target)
    told = json.loads(done.stdout.strip().splitlines()[-1])
    return told["indexSeconds"], told["buildSeconds"]


def beside(command, threads, count, seconds):
    """What a peer's build did with some threads, and how our seconds compare."""
    committed, whole = built(command, threads)
    if not committed:
        return ""
    rates = f"{count / committed:.0f}, as one segment {count / whole:.0f}"
    times = f"{committed / seconds:.2f} and {whole / seconds:.2f} times that"
    return f"; the peer's build with {threads} thread{'s' * (threads > 1)} {rates}: {times}"


def report_rest(cluster, folder, count):
    cluster.rest()
    memory = {name: proportional_bytes(number) for name, number in cluster.processes().items()}
    each = ", ".join(f"{name} {taken / 1e6:.1f} MB" for name, taken in memory.items())
    print(
        f"at rest: {each} of memory (PSS), {sum(memory.values()) / count:.0f} bytes a document; "
        f"{stored_bytes(folder) / 1e6:.0f} MB on disk, documents and journal included")


def report_start(program, folder):
    cold = drop_caches()
    start = time.monotonic()
    with Cluster(program, folder) as cluster:
        cluster.wait(LIMIT, lambda: cluster.run("status").returncode == 0, "get ready")
        ready = time.monotonic() - start
        answered = cluster.run("search", '** == "data"cdw', "--limit", "10", "--format", "ndjson")
        first = time.monotonic() - start
    if answered.returncode != 0:
        raise SystemExit(f"the first search ended with {answered.returncode}: {answered.stderr}")
    caches = "caches dropped" if cold else "caches not dropped, which takes the administrator"
    print(
        f"started ({caches}): ready after {ready:.2f} s, first complete answer after {first:.2f} s,"
        " each with a command that was started for it")


def main(program, documents, folder, rounds, *peer):
    with open(documents, "rb") as file:
        count = sum(1 for line in file if line.strip())
    for number in range(1, int(rounds) + 1):
        shutil.rmtree(folder, ignore_errors=True)
        with Cluster(program, folder) as cluster:
            seconds = imported(cluster, documents)
            line = f"round {number}: {count / seconds:.0f} documents a second"
            if peer:
                cluster.rest()
                line += "".join(beside(peer, threads, count, seconds) for threads in (1, 2))
            print(line, flush=True)
            if number == int(rounds):
                report_rest(cluster, folder, count)
    report_start(program, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
