"""Sphinx over its MySQL protocol: one server with the whole index, and one that asks two agents.

The agents are processes of their own with half of the documents each, as workers of ours.
"""

import signal
import struct
import subprocess

import servers
from workload import IDENTIFIED, identified

INDEX = """
source words {{
  type = tsvpipe
  tsvpipe_command = cat {path}.tsv
  tsvpipe_attr_uint = n
  tsvpipe_attr_string = name
  tsvpipe_field = t
}}
index d {{
  source = words
  path = {path}
  charset_table = {letters}
  dict = keywords
  min_infix_len = 3
  docinfo = extern
}}
indexer {{
  mem_limit = 1024M
}}
"""
# A string beside each document, which has a number in any case.
NAMED = "  tsvpipe_attr_string = name\n"
AGENTS = """
index d {{
  type = distributed
  agent = 127.0.0.1:{first}:d
  agent = 127.0.0.1:{second}:d
}}
"""
SERVER = """
searchd {{
  listen = 127.0.0.1:{port}{protocol}
  pid_file = {path}.pid
  workers = threads
  max_children = 64
  binlog_path =
  expansion_limit = 0
}}
"""


def ranges(letters):
    """A table of letters, neighbours as one range."""
    found = []
    for code in sorted(map(ord, letters)):
        if found and code == found[-1][1] + 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return [
        f"U+{first:X}" if first == last else f"U+{first:X}..U+{last:X}" for first, last in found]


class Peer:
    name = "sphinx"

    def __init__(self, data, folder, stack):
        self.folder = folder
        letters = set()
        parts = {name: open(f"{folder}/{name}.tsv", "w", encoding="utf-8")
                 for name in ("whole", "first", "second")}
        for number, (identifier, body, n) in enumerate(identified(data)):
            letters.update(body)
            called = f"\t{identifier}" if IDENTIFIED else ""
            for name in ("whole", ("first", "second")[number % 2]):
                parts[name].write(f"{number + 1}\t{n}{called}\t{body}\n")
        for part in parts.values():
            part.close()
        letters.discard(" ")
        # Its parser refuses long lines, and takes a backslash for "goes on in the next".
        self.letters = ", \\\n    ".join(ranges(letters))
        for name in parts:
            self.index(name)

    def index(self, name):
        settings = self.settings(name, self.of(name))
        built = subprocess.run(
            ["indexer", "-c", settings, "--all"], capture_output=True, text=True)
        if built.returncode:
            raise SystemExit(f"Sphinx could not index {name}:\n{built.stdout}{built.stderr}")
        self.version = " ".join(built.stdout.split()[:2])

    def of(self, name):
        index = INDEX if IDENTIFIED else INDEX.replace(NAMED, "")
        return index.format(path=f"{self.folder}/{name}", letters=self.letters)

    def settings(self, name, index, port=0, protocol=""):
        """Writes what a server of an index needs to a file."""
        path = f"{self.folder}/{name}.conf"
        server = SERVER.format(port=port, protocol=protocol, path=f"{self.folder}/{name}")
        with open(path, "w", encoding="utf-8") as out:
            out.write(index + server)
        return path

    def ways(self):
        return {self.name: self.alone, f"{self.name}-agents": self.with_agents}

    def alone(self, stack):
        port = servers.free_port()
        settings = self.settings("whole", self.of("whole"), port, ":mysql41")
        return Asked(stack, f"exec searchd -c {settings} --nodetach", self.folder, port)

    def with_agents(self, stack):
        commands, ports = [], {}
        for name in ("first", "second"):
            ports[name] = servers.free_port()
            settings = self.settings(name, self.of(name), ports[name])
            commands.append(f"searchd -c {settings} --nodetach & ")
        port = servers.free_port()
        settings = self.settings("agents", AGENTS.format(**ports), port, ":mysql41")
        # The shell becomes the server, so that the agents are its children.
        commands.append(f"sleep 1; exec searchd -c {settings} --nodetach")
        return Asked(stack, "".join(commands), self.folder, port)


class Asked:
    """A server that a line of the shell starts, and how it is asked."""

    def __init__(self, stack, line, folder, port):
        self.port = port
        # What a shell starts beside itself does not hear of SIGINT.
        self.server = servers.Server(["sh", "-c", line], folder, port, end=signal.SIGTERM)
        stack.callback(self.server.stop)

    @staticmethod
    def packet(sequence, body):
        return struct.pack("<I", len(body))[:3] + bytes([sequence]) + body

    def dial(self):
        connection = servers.dial(self.port)
        connection.recv(4096)
        login = struct.pack("<IIB23x", 0x0000A285, 1 << 24, 33) + b"bench\0\0"
        connection.sendall(self.packet(1, login))
        connection.recv(4096)
        return connection

    def match(self, query):
        match query.op:
            case "and":
                return " ".join(query.terms)
            case "or":
                return " | ".join(query.terms)
            case "prefix":
                return query.terms[0] + "*"
            case "infix":
                return f"*{query.terms[0]}*"
            case "phrase":
                return f'"{" ".join(query.terms)}"'
            case _:
                return query.terms[0]

    def request(self, query):
        if query.op == "range_sort":
            wanted = f"n BETWEEN {query.low} AND {query.high}"
        else:
            wanted = f"MATCH('{self.match(query)}')"
            if query.op == "word_range":
                wanted += f" AND n BETWEEN {query.low} AND {query.high}"
        ranked = query.kind in ("Q1", "Q2", "Q3", "Q4", "Q7")
        options = f"ranker={'bm25' if ranked else 'none'}"
        what, limit = "name" if IDENTIFIED else "id", f"LIMIT {query.limit}"
        if query.counts:
            what, limit = "COUNT(*)", "LIMIT 1"
        elif query.streams:
            limit = f"LIMIT {query.expect + 1}"
            options += f", max_matches={query.expect + 1}"
        elif query.op == "range_sort":
            limit = f"ORDER BY n DESC LIMIT {query.limit}"
        text = f"SELECT {what} FROM d WHERE {wanted} {limit} OPTION {options}"
        return self.packet(0, b"\3" + text.encode())

    @staticmethod
    def packets(answer):
        """Bodies of the whole packets of an answer."""
        at = 0
        while at + 4 <= len(answer):
            end = at + 4 + int.from_bytes(answer[at:at + 3], "little")
            if end > len(answer):
                return
            yield answer[at + 4:end]
            at = end

    @classmethod
    def is_whole(cls, answer):
        # The end is a packet of five bytes that begins with 0xFE; the second one ends the rows.
        if len(answer) > 4 and answer[4] == 0xFF:
            return True
        if len(answer) < 18 or answer[-5] != 0xFE or answer[-9:-6] != b"\5\0\0":
            return False
        return len(answer) > 4096 or sum(
            len(body) == 5 and body[0] == 0xFE for body in cls.packets(answer)) == 2

    @classmethod
    def is_right(cls, answer, query):
        bodies = list(cls.packets(answer))
        rows = bodies[next((at for at, body in enumerate(bodies) if body[:1] == b"\xfe"), 0) + 1:-1]
        if query.counts:
            return len(rows) == 1 and rows[0][1:].decode() == str(query.expect)
        return len(rows) == query.hits
