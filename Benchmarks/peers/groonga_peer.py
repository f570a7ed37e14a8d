"""Groonga over HTTP: a token index, a trigram index and an index of numbers.

Asked as a server that computes each answer, as one that keeps those of the last hundred queries, as
it does by itself, and as one that keeps those of the last thousand: a workload has up to 200 of a
class.
"""

import json
import os
import subprocess
import urllib.parse

import servers
from workload import IDENTIFIED, identified

TABLES = """table_create d {keys}
column_create d t COLUMN_SCALAR Text
column_create d n COLUMN_SCALAR Int32
load --table d
"""
INDEXES = """
table_create words TABLE_PAT_KEY ShortText --default_tokenizer TokenDelimit
column_create words d_t COLUMN_INDEX|WITH_POSITION d t
table_create parts TABLE_PAT_KEY ShortText --default_tokenizer 'TokenNgram("n", 3, \
"unify_alphabet", false, "unify_digit", false, "unify_symbol", false)'
column_create parts d_t COLUMN_INDEX|WITH_POSITION d t
table_create numbers TABLE_PAT_KEY Int32
column_create numbers d_n COLUMN_INDEX d n
"""
# What an answer has of a document.
NAME = "_key" if IDENTIFIED else "_id"
SETTINGS = """
daemon off;
worker_processes {processors};
pid {folder}/{name}.pid;
error_log {folder}/{name}.errors;
{user}
events {{
  worker_connections 256;
}}
http {{
  access_log off;
  groonga_log_path {folder}/{name}.groonga;
  groonga_query_log_path off;
  keepalive_requests 1000000000;
  client_body_temp_path {folder}/{name}.body;
  proxy_temp_path {folder}/{name}.proxy;
  fastcgi_temp_path {folder}/{name}.fastcgi;
  uwsgi_temp_path {folder}/{name}.uwsgi;
  scgi_temp_path {folder}/{name}.scgi;
  groonga_database {folder}/base;
  groonga_cache_limit {cached};
  server {{
    listen 127.0.0.1:{port};
    location /d/ {{
      groonga on;
    }}
  }}
}}
"""


class Peer:
    name = "groonga"

    def __init__(self, data, folder, stack):
        self.folder = folder
        self.version = subprocess.run(
            ["groonga", "--version"], capture_output=True, text=True).stdout.split(" [")[0]
        with open(f"{folder}/load", "w", encoding="utf-8") as out:
            if IDENTIFIED:
                keys = "TABLE_HASH_KEY ShortText"
                rows = [{"_key": name, "t": body, "n": n} for name, body, n in identified(data)]
            else:
                keys = "TABLE_NO_KEY"
                rows = [{"t": body, "n": n} for _, body, n in identified(data)]
            out.write(TABLES.format(keys=keys) + json.dumps(rows, ensure_ascii=False) + INDEXES)
        subprocess.run(
            ["groonga", "--file", f"{folder}/load", "-n", f"{folder}/base"], check=True,
            stdout=subprocess.DEVNULL)

    def ways(self):
        return {
            self.name: lambda stack: Asked(stack, self.folder, "httpd", 0),
            f"{self.name}-shipped": lambda stack: Asked(stack, self.folder, "shipped", 100),
            f"{self.name}-cached": lambda stack: Asked(stack, self.folder, "cached", 1000)}


class Asked:
    """A server over the database of a folder, with files of its own name, and how it is asked."""

    # Which of its processes takes a connection is chance: of few connections all may be of one.
    runs = 2

    def __init__(self, stack, folder, name, cached):
        self.port = servers.free_port()
        settings = f"{folder}/{name}.conf"
        with open(settings, "w", encoding="utf-8") as out:
            out.write(
                SETTINGS.format(
                    folder=folder, name=name, port=self.port, processors=os.cpu_count(),
                    cached=cached, user="user root;" if os.geteuid() == 0 else ""))
        self.server = servers.Server(
            ["groonga-httpd", "-c", settings], folder, self.port, log=f"{name}.log")
        stack.callback(self.server.stop)

    def dial(self):
        return servers.dial(self.port)

    def filter(self, query):
        quoted = [json.dumps(term, ensure_ascii=False) for term in query.terms]
        match query.op:
            case "and":
                return " && ".join(f"words.d_t @ {word}" for word in quoted)
            case "or":
                return " || ".join(f"words.d_t @ {word}" for word in quoted)
            case "prefix":
                return f"words.d_t @^ {quoted[0]}"
            case "infix":
                return f"parts.d_t @ {quoted[0]}"
            case "phrase":
                return "words.d_t @ " + json.dumps(" ".join(query.terms), ensure_ascii=False)
            case "range_sort":
                return f"between(n, {query.low}, 'include', {query.high}, 'include')"
            case "word_range":
                return (
                    f"words.d_t @ {quoted[0]} && "
                    f"between(n, {query.low}, 'include', {query.high}, 'include')")
            case _:
                return f"words.d_t @ {quoted[0]}"

    def request(self, query):
        options = {"table": "d", "filter": self.filter(query), "output_columns": NAME}
        options["limit"] = 0 if query.counts else -1 if query.streams else query.limit
        if query.kind in ("Q1", "Q2", "Q3", "Q4", "Q7"):
            options["sort_keys"] = "-_score"
        elif query.op == "range_sort":
            options["sort_keys"] = "-n"
        path = "/d/select?" + urllib.parse.urlencode(options)
        return f"GET {path} HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\n\r\n".encode()

    @staticmethod
    def is_whole(answer):
        start = answer.find(b"\r\n\r\n")
        if start < 0:
            return False
        head = bytes(answer[:start]).lower()
        at = head.find(b"content-length:")
        if at < 0:
            return False
        return len(answer) - start - 4 >= int(head[at + 15:].split(b"\r", 1)[0])

    @staticmethod
    def is_right(answer, query):
        body = json.loads(bytes(answer[answer.find(b"\r\n\r\n") + 4:]))
        found = body[1][0]
        return found[0][0] == query.expect if query.counts else len(found) - 2 == query.hits
