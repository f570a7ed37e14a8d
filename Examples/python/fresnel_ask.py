#!/usr/bin/env python3
"""Asks a Fresnel cluster, and times the answers.

Written from Documentation/protocol.md and the schema it names, with nothing of the Swift sources:
it shows that the document is enough, and measures what `fresnel load` measures with another client.
Needs pyzmq (Debian: python3-zmq). Clauses of the document stand in brackets.

    fresnel_ask.py 'title == "a*"c'
    fresnel_ask.py --queries queries.txt --seconds 5
"""
import argparse
import os
import struct
import sys
import time

import zmq

HELLO, WELCOME, REJECT, CHALLENGE, GOODBYE, PING, PONG, JOIN, JOINED = range(1, 10)
QUERY, ACCEPTED, FOUND, CREDIT, DONE, ERROR, BUSY = 16, 17, 19, 20, 22, 24, 25
CLIENT = 1  # of the schema's enum Role
SESSION, NO_PART, NO_BUDGET = bytes(16), 0xFFFFFFFF, 0xFFFFFFFF
WINDOW = 8 << 20  # bytes of hits that may be under way
HEADER = struct.Struct(">2sBBHH16sIQIII")  # [H-1]


class Refused(Exception):
    """The broker said no."""


# Protocol Buffers, as much of it as is needed: fields by number, [F-8] skips the others.

def varint(number):
    octets = bytearray()
    while number > 0x7F:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    octets.append(number)
    return bytes(octets)


def field(number, value):
    """One field: text or bytes, a number, or a ('fixed64', number)."""
    if isinstance(value, tuple):
        return varint(number << 3 | 1) + struct.pack("<Q", value[1])
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    octets = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(octets)) + octets


def read_varint(octets, place):
    number = shift = 0
    while True:
        octet = octets[place]
        number |= (octet & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if octet < 0x80:
            return number, place


def fields(octets):
    """A message as {number: last value}; numbers, or bytes."""
    found, place = {}, 0
    while place < len(octets):
        key, place = read_varint(octets, place)
        kind = key & 7
        if kind == 0:
            value, place = read_varint(octets, place)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, place = int.from_bytes(octets[place:place + size], "little"), place + size
        else:
            size, place = read_varint(octets, place)
            value, place = octets[place:place + size], place + size
        found[key >> 3] = value
    return found


class Broker:
    """A session with a broker."""

    def __init__(self, endpoint, patience=10.0):
        self.context = zmq.Context.instance()
        self.control = self.socket(endpoint)
        self.data = None
        self.poller = zmq.Poller()
        self.poller.register(self.control, zmq.POLLIN)
        self.boot = int.from_bytes(os.urandom(8), "little")
        self.open(time.monotonic() + patience)

    def socket(self, endpoint):
        socket = self.context.socket(zmq.DEALER)  # [T-2]
        for option, value in [
            (zmq.IMMEDIATE, 1), (zmq.PROBE_ROUTER, 1), (zmq.LINGER, 0),  # [T-5] [T-7]
            (zmq.HEARTBEAT_IVL, 2000), (zmq.HEARTBEAT_TIMEOUT, 10000), (zmq.HEARTBEAT_TTL, 10000),
            (zmq.RECONNECT_IVL, 100), (zmq.RECONNECT_IVL_MAX, 5000), (zmq.MAXMSGSIZE, 1310753),
            (zmq.SNDHWM, 1024), (zmq.RCVHWM, 1024),  # [T-6]
        ]:
            socket.setsockopt(option, value)
        socket.connect(endpoint)
        return socket

    def send(self, socket, verb, control=None, id=SESSION, budget=NO_BUDGET):
        header = HEADER.pack(
            b"\xaa\xb7", 1, verb, 0 if control is None else 1, HEADER.size, id, NO_PART, 0, 0, 0,
            budget)
        try:
            socket.send_multipart([header] + ([] if control is None else [control]), zmq.NOBLOCK)
        except zmq.Again:
            pass  # nobody is there yet [T-5]; what matters is sent again

    def hello(self):
        control = field(1, 1) + field(2, 1) + field(3, CLIENT) + field(4, "fresnel_ask.py")
        control += field(5, ("fixed64", self.boot)) + field(6, "fresnel_ask.py")
        self.send(self.control, HELLO, control)

    def open(self, deadline):
        """HELLO until WELCOME, JOIN until JOINED, every 100 ms [S-5]."""
        joining = None
        while time.monotonic() < deadline:
            if joining is None:
                self.hello()
            else:
                self.send(self.data, JOIN, joining)
            until = time.monotonic() + 0.1
            for verb, _, control, _ in self.messages(until):
                if verb == WELCOME:
                    # The newest session is the one that counts [S-5].
                    welcome = fields(control)
                    if self.data is None:
                        self.data = self.socket(welcome[4].decode())
                        self.poller.register(self.data, zmq.POLLIN)
                    joining = field(1, ("fixed64", welcome[3]))
                    break
                if verb == JOINED:
                    return
                if verb == REJECT:
                    raise Refused(fields(control).get(2, b"").decode())
        raise Refused("nobody answers")

    def messages(self, until):
        """What comes before a time, as (verb, id, control frame, payload)."""
        while True:
            left = until - time.monotonic()
            events = self.poller.poll(max(0, left) * 1000)
            if not events:
                return
            for socket, _ in events:
                frames = socket.recv_multipart()
                if frames == [b""]:
                    continue  # [F-3]
                parts = HEADER.unpack_from(frames[0])
                signature, major, verb, flags, length, id = parts[:6]
                if (signature, major, length) != (b"\xaa\xb7", 1, len(frames[0])):
                    raise Refused("a message of something else")
                rest = frames[1:]
                control = rest.pop(0) if flags & 1 else b""
                if verb == PING:
                    self.send(self.control, PONG, b"")  # [S-8]
                    continue
                yield verb, id, control, rest[0] if flags & 2 else None

    def ask(self, query, limit, seconds):
        """Asks, takes every hit, returns (moments in seconds, DONE's fields, hits)."""
        id, taken, granted = os.urandom(16), 0, WINDOW
        search = field(1, query) + field(6, limit) + field(15, max(limit, 1))
        search += field(16, granted) + field(23, 1)
        start = time.perf_counter()
        self.send(self.control, QUERY, search, id, int(seconds * 1000))
        moments, hits = {}, 0
        for verb, about, control, payload in self.messages(time.monotonic() + seconds + 1):
            if about != id:
                continue
            if payload is not None:
                moments.setdefault("first item", time.perf_counter() - start)
                hits += int.from_bytes(payload[4:8], "little")  # section 9
                taken += len(payload)
                if verb == FOUND and granted - taken < WINDOW // 2:  # [C-1] [C-5]
                    granted = taken + WINDOW
                    self.send(
                        self.control, CREDIT, field(1, max(limit, 1)) + field(2, granted), id)
            if verb == DONE:
                moments["completion"] = time.perf_counter() - start
                return moments, fields(control), hits
            if verb in (ERROR, BUSY):
                raise Refused(fields(control).get(2, b"").decode())
        raise Refused("no answer")

    def close(self):
        self.send(self.control, GOODBYE)


def percentile(sorted_times, part):
    return sorted_times[min(int(part * len(sorted_times)), len(sorted_times) - 1)] * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("query", nargs="*")
    parser.add_argument("--queries", help="a file with a query a line")
    parser.add_argument(
        "--broker", default=os.environ.get("FRESNEL_BROKER", "tcp://127.0.0.1:7700"))
    parser.add_argument("--limit", type=int, default=10)
    parser.add_argument("--seconds", type=float, help="ask again and again for so long")
    options = parser.parse_args()
    queries = list(options.query)
    if options.queries:
        with open(options.queries, encoding="utf-8") as lines:
            queries += [line.strip() for line in lines if line.strip()]
    broker = Broker(options.broker)
    times, asked, end = [], 0, time.monotonic() + (options.seconds or 0)
    while asked < len(queries) or time.monotonic() < end:
        query = queries[asked % len(queries)]
        moments, done, hits = broker.ask(query, options.limit, 10)
        if hits != done.get(6, 0):
            raise Refused(f"{hits} hits came of {done.get(6, 0)}")
        if not options.seconds:
            whole = "complete" if done.get(2) else done[1].decode()
            print(f"{done.get(3, 0)} found, {hits} delivered, {whole}: {query}")
        times.append(moments["completion"])
        asked += 1
    broker.close()
    times.sort()
    print(f"{len(times)} answers, p50 {percentile(times, .5):.0f} us, "
          f"p99 {percentile(times, .99):.0f} us, max {times[-1] * 1e6:.0f} us")


if __name__ == "__main__":
    try:
        main()
    except Refused as refusal:
        sys.exit(f"fresnel_ask.py: {refusal}")
