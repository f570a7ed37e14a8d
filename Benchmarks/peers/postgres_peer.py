"""PostgreSQL over TCP: tsvector and trigram GIN indexes.

Asked by statements with their values in place, each planned for them, and by prepared ones, which
are read once a connection and planned anew or not as the server decides.
"""

import glob
import os
import pwd
import struct
import subprocess

import servers
from workload import IDENTIFIED, documents, identified

PROGRAMS = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1:]


def message(kind, body):
    return kind + struct.pack("!I", len(body) + 4) + body


def text(value):
    return value.encode() + b"\0"


class Peer:
    name = "postgres"

    def __init__(self, data, folder, stack):
        self.folder, self.port = folder, servers.free_port()
        programs = PROGRAMS[0]
        self.user = "postgres" if os.geteuid() == 0 else None
        if self.user:
            os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
        initialise = [
            f"{programs}/initdb", "-D", f"{folder}/base", "-A", "trust", "-U", "bench", "-E",
            "UTF8", "--no-locale", "--no-sync"]
        subprocess.run(
            initialise, check=True, stdout=subprocess.DEVNULL, user=self.user, cwd=folder)
        self.version = subprocess.run(
            [f"{programs}/postgres", "--version"], capture_output=True, text=True).stdout.strip()
        settings = {
            "port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": folder,
            "shared_buffers": "512MB", "work_mem": "64MB", "maintenance_work_mem": "512MB",
            "jit": "off", "fsync": "off", "gin_fuzzy_search_limit": 0, "max_connections": 64,
            "max_parallel_workers_per_gather": 0}
        options = [part for key in settings for part in ("-c", f"{key}={settings[key]}")]
        self.server = servers.Server(
            [f"{programs}/postgres", "-D", f"{folder}/base", *options], folder, self.port,
            self.user)
        stack.callback(self.server.stop)
        self.fill(data)

    def psql(self, *arguments, **options):
        return subprocess.run(
            [
                f"{PROGRAMS[0]}/psql", "-qX", "-h", "127.0.0.1", "-p", str(self.port), "-U",
                "bench", "-v", "ON_ERROR_STOP=1", "postgres", *arguments],
            check=True, **options)

    def fill(self, data):
        self.psql(
            "-c", "CREATE EXTENSION pg_trgm; "
            f"CREATE TABLE d(id {'text' if IDENTIFIED else 'int'}, n int, t text)")
        of = identified if IDENTIFIED else documents
        rows = "".join(
            str(name).replace("\\", "\\\\") + f"\t{n}\t{body}\n" for name, body, n in of(data))
        self.psql("-c", "COPY d FROM STDIN", input=rows.encode())
        self.psql(
            "-c", "ALTER TABLE d ADD v tsvector; "
            "UPDATE d SET v = array_to_tsvector('{}'); "
            "UPDATE d SET v = to_tsvector('simple', t); "
            "CREATE INDEX ON d USING gin(v); CREATE INDEX ON d USING gin(t gin_trgm_ops); "
            "CREATE INDEX ON d(n)")
        self.psql("-c", "VACUUM FULL ANALYZE d")

    def ways(self):
        return {
            self.name: lambda stack: Asked(self.port, self.server),
            f"{self.name}-prepared": lambda stack: Prepared(self.port, self.server)}


class Asked:
    """Asks by the simple protocol."""

    def __init__(self, port, server):
        self.port, self.server = port, server

    def dial(self):
        connection = servers.dial(self.port)
        body = struct.pack("!I", 196608) + text("user") + text("bench") + text("database")
        body += text("postgres") + b"\0"
        self.exchange(connection, struct.pack("!I", len(body) + 4) + body)
        return connection

    def exchange(self, connection, request):
        connection.sendall(request)
        answer = bytearray()
        while not self.is_whole(answer):
            got = connection.recv(65536)
            if not got:
                raise ConnectionError("the server closed the connection")
            answer += got
        return answer

    @staticmethod
    def statement(query, put):
        """The statement of a query; `put(value, type)` gives what stands in it for a value."""
        match query.op:
            case "and":
                wanted = f"v @@ {put(' & '.join(query.terms), 'tsquery')}"
            case "or":
                wanted = f"v @@ {put(' | '.join(query.terms), 'tsquery')}"
            case "phrase":
                wanted = f"v @@ {put(' <-> '.join(query.terms), 'tsquery')}"
            case "prefix":
                wanted = f"v @@ {put(query.terms[0] + ':*', 'tsquery')}"
            case "infix":
                wanted = f"t LIKE {put(f'%{query.terms[0]}%', 'text')}"
            case "range_sort":
                wanted = f"n BETWEEN {put(query.low, 'int')} AND {put(query.high, 'int')}"
            case _:
                wanted = f"v @@ {put(query.terms[0], 'tsquery')}"
        if query.op == "word_range":
            wanted += f" AND n BETWEEN {put(query.low, 'int')} AND {put(query.high, 'int')}"
        if query.counts:
            return f"SELECT count(*) FROM d WHERE {wanted}"
        order = ""
        if query.kind in ("Q1", "Q2", "Q3", "Q4", "Q7"):
            order = " ORDER BY ts_rank(v, " + wanted.removeprefix("v @@ ") + ") DESC"
        elif query.op == "range_sort":
            order = " ORDER BY n DESC"
        limit = "" if query.streams else f" LIMIT {query.limit}"
        return f"SELECT id FROM d WHERE {wanted}{order}{limit}"

    def request(self, query):
        return message(
            b"Q", text(self.statement(query, lambda value, kind: f"'{value}'::{kind}")))

    @staticmethod
    def is_whole(answer):
        return answer[-6:-1] == b"Z\0\0\0\5"

    @staticmethod
    def is_right(answer, query):
        if query.counts:
            count = str(query.expect).encode()
            return b"\0\0\0" + bytes([len(count)]) + count in answer
        return f"SELECT {query.hits}\0".encode() in answer[-40:]


class Prepared(Asked):
    """Asks by the extended protocol, with one prepared statement for each shape of query."""

    def __init__(self, port, server):
        super().__init__(port, server)
        self.names = {}

    def dial(self):
        connection = super().dial()
        parses = [
            message(b"P", text(name) + text(statement) + struct.pack("!H", 0))
            for statement, name in self.names.items()]
        answer = self.exchange(connection, b"".join(parses) + message(b"S", b""))
        if answer.count(b"1\0\0\0\4") < len(parses):
            raise SystemExit(f"PostgreSQL refused a statement: {bytes(answer)!r}")
        return connection

    def request(self, query):
        values = []

        def put(value, kind):
            values.append(str(value).encode())
            return f"${len(values)}::{kind}"

        statement = self.statement(query, put)
        name = self.names.setdefault(statement, f"s{len(self.names)}")
        bind = b"\0" + text(name) + struct.pack("!HH", 0, len(values))
        for value in values:
            bind += struct.pack("!I", len(value)) + value
        return (
            message(b"B", bind + struct.pack("!H", 0))
            + message(b"E", b"\0" + struct.pack("!I", 0)) + message(b"S", b""))
