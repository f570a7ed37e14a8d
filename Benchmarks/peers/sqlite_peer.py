"""SQLite's FTS5: one table of words and one of trigrams, numbers in a table beside them."""

import apsw

from workload import documents

NAME = f"SQLite FTS5 {apsw.sqlite_lib_version()}"


class Peer:
    """`tokens` is "unicode61" for words or "trigram" for parts of them."""

    def __init__(self, data, folder, tokens="unicode61"):
        self.tokens = tokens
        tokenizer = "trigram" if tokens == "trigram" else "unicode61 remove_diacritics 0"
        base = self.base = apsw.Connection(f"{folder}/{tokens}.db")
        base.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-1000000")
        base.execute(
            f"CREATE VIRTUAL TABLE d USING fts5(t, content='', tokenize='{tokenizer}');"
            "CREATE TABLE m(id INTEGER PRIMARY KEY, n INTEGER)")
        with base:
            for number, text, n in documents(data):
                base.execute("INSERT INTO d(rowid, t) VALUES(?, ?)", (number + 1, text))
                base.execute("INSERT INTO m VALUES(?, ?)", (number + 1, n))
        base.execute("CREATE INDEX by_n ON m(n); INSERT INTO d(d) VALUES('optimize')")

    def can(self, query):
        if self.tokens != "trigram":
            return query.op != "infix"
        # Shorter parts of words have no trigram, and it would find nothing.
        return query.op == "infix" and len(query.terms[0]) >= 3

    def match(self, query):
        quoted = [f'"{term}"' for term in query.terms]
        match query.op:
            case "and":
                return " AND ".join(quoted)
            case "or":
                return " OR ".join(quoted)
            case "prefix":
                return quoted[0] + "*"
            case "phrase":
                return '"' + " ".join(query.terms) + '"'
            case _:
                return quoted[0]

    def search(self, query):
        run = self.base.execute
        if query.op == "range_sort":
            if query.counts:
                answer = run(
                    "SELECT count(*) FROM m WHERE n BETWEEN ? AND ?", (query.low, query.high))
                return 0, answer.fetchall()[0][0]
            rows = run(
                "SELECT id FROM m WHERE n BETWEEN ? AND ? ORDER BY n DESC LIMIT ?",
                (query.low, query.high, query.limit))
            return len(rows.fetchall()), None
        wanted, values = "d MATCH ?", (self.match(query),)
        source = "d"
        if query.op == "word_range":
            source = "d JOIN m ON m.id = d.rowid"
            wanted += " AND m.n BETWEEN ? AND ?"
            values += (query.low, query.high)
        if query.counts:
            rows = run(f"SELECT count(*) FROM {source} WHERE {wanted}", values)
            return 0, rows.fetchall()[0][0]
        ranked = query.kind in ("Q1", "Q2", "Q3", "Q4", "Q7")
        order = " ORDER BY rank" if ranked else ""
        limit = "" if query.streams else f" LIMIT {query.limit}"
        rows = run(f"SELECT d.rowid FROM {source} WHERE {wanted}{order}{limit}", values)
        return len(rows.fetchall()), None


class Trigrams(Peer):
    def __init__(self, data, folder):
        super().__init__(data, folder, tokens="trigram")
