"""Closed loops over sockets: every client sends its next request when its answer is whole.

Requests are bytes made beforehand, and an answer is only looked at for its end, but the first to
each request, which is checked, so that the load costs little beside the server. Clients are spread
over processes. As in the load of our side all connections are there before the first question, half
a second is not counted, and only questions that begin behind it are.
"""

import multiprocessing
import os
import selectors
import socket
import time

from workload import summary

PROCESSES = 4
WARMING = 0.5  # seconds


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


def run(protocol, requests, clients, first, seconds, all_dialed, out):
    """`clients` closed loops for some seconds: (times in µs, wrong answers) into `out`."""
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
    times, wrong, verdicts = [], 0, {}
    while (now := time.perf_counter_ns()) < end:
        for key, _ in loops.select((end - now) / 1e9):
            client = key.data
            if client.receive():
                taken = time.perf_counter_ns() - client.sent
                if client.place not in verdicts:
                    query = requests[client.place][1]
                    verdicts[client.place] = protocol.is_right(client.answer, query)
                if client.sent >= begin:
                    times.append(taken / 1000)
                    wrong += not verdicts[client.place]
                client.send()
    out.put((times, wrong))


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
    results = [out.get(timeout=seconds + 60) for _ in workers]
    for worker in workers:
        worker.join()
    times = [took for result in results for took in result[0]]
    if not times:
        raise SystemExit("no answer within the time of a measurement")
    server = (processor_seconds(leader) - before) / len(times) * 1e6
    return {
        "rate": round(len(times) / seconds), "server": round(server), **summary(times),
        "wrong": sum(result[1] for result in results)}
