"""Closed loops over sockets: every client sends its next request when its answer is whole.

Requests are bytes made beforehand, and an answer is only looked at for its end, but the first of
each length to each request, which is checked, so that the load costs little beside the server.
Clients are spread over processes. As in the load of our side all connections are there before the
first question, and half a second is not counted.
"""

import multiprocessing
import os
import selectors
import socket
import time

from workload import summary

PROCESSES = 4
WARMING = 0.5  # seconds
PATIENCE = 60  # seconds


class Client:
    """One connection: `protocol` dials it, and says when an answer is whole and what it counts."""

    def __init__(self, protocol, requests, start):
        self.connection = protocol.dial()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.protocol, self.requests, self.next = protocol, requests, start
        self.answer = bytearray()

    def send(self):
        self.place = self.next % len(self.requests)
        self.next += 1
        self.answer.clear()
        self.sent = time.perf_counter_ns()
        self.connection.sendall(self.requests[self.place][0])

    def receive(self):
        """Takes what has come; true when the answer is whole."""
        got = self.connection.recv(1 << 20)
        if not got:
            raise ConnectionError("the server closed the connection")
        self.answer += got
        return self.protocol.is_whole(self.answer)


def ask(protocol, requests, clients, first, seconds, all_dialed):
    """`clients` closed loops for some seconds: (answers within them, times in µs, wrong answers).

    The times are those of questions that begin within the seconds, so that slow ones are not cut
    off; the rate is of answers that end within them.
    """
    loops = selectors.DefaultSelector()
    step = max(1, len(requests) // max(1, clients))
    for number in range(clients):
        client = Client(protocol, requests, (first + number) * step)
        loops.register(client.connection, selectors.EVENT_READ, client)
    all_dialed.wait(60)
    for key in loops.get_map().values():
        key.data.send()
    begin = time.perf_counter_ns() + int(WARMING * 1e9)
    end = begin + int(seconds * 1e9)
    answers, times, wrong, verdicts, asking = 0, [], 0, {}, clients
    while asking:
        ready = loops.select(PATIENCE)
        if not ready:
            raise TimeoutError(f"no answer for {PATIENCE} s")
        for key, _ in ready:
            client = key.data
            if not client.receive():
                continue
            now = time.perf_counter_ns()
            # Answers of a length that was right before are.
            what = client.place, len(client.answer)
            if what not in verdicts:
                query = requests[client.place][1]
                verdicts[what] = protocol.is_right(client.answer, query)
            answers += begin <= now < end
            if client.sent >= begin:
                times.append((now - client.sent) / 1000)
                wrong += not verdicts[what]
            if now < end:
                client.send()
            else:
                asking -= 1
    return answers, times, wrong


def run(protocol, requests, clients, first, seconds, all_dialed, out):
    """What `ask` gives, or why it does not, into `out`."""
    try:
        out.put(ask(protocol, requests, clients, first, seconds, all_dialed))
    except Exception as error:
        all_dialed.abort()
        out.put(f"{type(error).__name__}: {error}")


def warm(protocol, requests):
    """Asks a server that keeps answers everything, until each of its processes will have it."""
    for _ in range(8):
        client = Client(protocol, requests, 0)
        for _ in requests:
            client.send()
            while not client.receive():
                pass
        client.connection.close()


def family(leader):
    """The fields of /proc/N/stat, behind the name, of a process and all below it, by number."""
    known = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                known[int(name)] = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
    members = {}
    for number in known:
        at = number
        while at != leader and at in known:
            at = int(known[at][1])
        if at == leader:
            members[number] = known[number]
    return members


def processor_seconds(leader):
    """Processor time of a server's processes and of those they have seen end."""
    ticks = sum(sum(map(int, fields[11:15])) for fields in family(leader).values())
    return ticks / os.sysconf("SC_CLK_TCK")


def measure(protocol, requests, clients, seconds, leader):
    """Queries a second, p50, p99, mean in µs, and the server's processor time a query in µs.

    The processor time has that of warming up and of connections in it.
    """
    out = multiprocessing.Queue()
    processes = min(PROCESSES, clients)
    all_dialed = multiprocessing.Barrier(processes)
    shares = [clients // processes + (n < clients % processes) for n in range(processes)]
    before = processor_seconds(leader)
    workers, first = [], 0
    for share in shares:
        arguments = (protocol, requests, share, first, seconds, all_dialed, out)
        workers.append(multiprocessing.Process(target=run, args=arguments))
        first += share
    for worker in workers:
        worker.start()
    try:
        results = [out.get(timeout=seconds + 2 * PATIENCE) for _ in workers]
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()
    failures = [result for result in results if isinstance(result, str)]
    if failures:
        # Those that only heard of another's are behind it.
        failures.sort(key=lambda failure: failure.startswith("BrokenBarrierError"))
        raise SystemExit(f"{clients} clients: {failures[0]}")
    times = [took for result in results for took in result[1]]
    if not times:
        raise SystemExit(f"{clients} clients: no answer within the time of a measurement")
    answers = sum(result[0] for result in results)
    server = (processor_seconds(leader) - before) / len(times) * 1e6
    return {
        "rate": round(answers / seconds, 1), "server": round(server), **summary(times),
        "asked": len(times), "wrong": sum(result[2] for result in results)}
