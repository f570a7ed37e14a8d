"""Sphinx over its MySQL protocol: one server with the whole index."""

import struct
import subprocess
import time

import servers
from workload import documents

SETTINGS = """
source words {{
  type = tsvpipe
  tsvpipe_command = cat {folder}/documents.tsv
  tsvpipe_attr_uint = n
  tsvpipe_field = t
}}
index d {{
  source = words
  path = {folder}/d
  charset_table = {letters}
  dict = keywords
  min_infix_len = 3
  docinfo = extern
}}
indexer {{
  mem_limit = 1024M
}}
searchd {{
  listen = 127.0.0.1:{port}:mysql41
  pid_file = {folder}/searchd.pid
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
        self.port = servers.free_port()
        letters = set()
        with open(f"{folder}/documents.tsv", "w", encoding="utf-8") as out:
            for number, body, n in documents(data):
                letters.update(body)
                out.write(f"{number + 1}\t{n}\t{body}\n")
        letters.discard(" ")
        # Its parser refuses long lines, and takes a backslash for "goes on in the next".
        table = ", \\\n    ".join(ranges(letters))
        settings = f"{folder}/sphinx.conf"
        with open(settings, "w", encoding="utf-8") as out:
            out.write(SETTINGS.format(folder=folder, port=self.port, letters=table))
        built = subprocess.run(
            ["indexer", "-c", settings, "--all"], capture_output=True, text=True)
        if built.returncode:
            raise SystemExit(f"Sphinx could not index {data}:\n{built.stdout}{built.stderr}")
        self.version = " ".join(built.stdout.split()[:2])
        self.server = servers.Server(
            ["searchd", "-c", settings, "--nodetach"], folder, self.port)
        stack.callback(self.server.stop)

    @staticmethod
    def packet(sequence, body):
        return struct.pack("<I", len(body))[:3] + bytes([sequence]) + body

    def ways(self):
        return {self.name: lambda stack: self}

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
        what, limit = "id", f"LIMIT {query.limit}"
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
