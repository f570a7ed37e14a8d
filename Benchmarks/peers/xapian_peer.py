"""Xapian through Debian's Python binding: BM25, wildcards by expansion, numbers in a value."""

import xapian

from workload import documents

NAME = f"Xapian {xapian.version_string()}"


class Peer:
    def __init__(self, data, folder):
        base = xapian.WritableDatabase(folder + "/base", xapian.DB_CREATE_OR_OVERWRITE)
        for _, text, n in documents(data):
            document = xapian.Document()
            for position, term in enumerate(text.split(" ")):
                if 0 < len(term.encode()) <= 240:
                    document.add_posting(term, position + 1)
            document.add_value(0, xapian.sortable_serialise(n))
            base.add_document(document)
        base.commit()
        base.compact(folder + "/compact")
        self.base = xapian.Database(folder + "/compact")
        self.size = self.base.get_doccount()

    def can(self, query):
        return query.op != "infix"

    def range(self, query):
        return xapian.Query(
            xapian.Query.OP_VALUE_RANGE, 0, xapian.sortable_serialise(query.low),
            xapian.sortable_serialise(query.high))

    def query(self, query):
        make = xapian.Query
        match query.op:
            case "word":
                return make(query.terms[0])
            case "and":
                return make(make.OP_AND, list(query.terms))
            case "or":
                return make(make.OP_OR, list(query.terms))
            case "prefix":
                return make(
                    make.OP_WILDCARD, query.terms[0], 0, make.WILDCARD_LIMIT_ERROR, make.OP_OR)
            case "phrase":
                return make(make.OP_PHRASE, list(query.terms), len(query.terms))
            case "word_range":
                return make(make.OP_FILTER, make(query.terms[0]), self.range(query))
            case "range_sort":
                return self.range(query)

    def search(self, query):
        enquire = xapian.Enquire(self.base)
        enquire.set_query(self.query(query))
        if query.kind not in ("Q1", "Q2", "Q3", "Q4", "Q7"):
            enquire.set_weighting_scheme(xapian.BoolWeight())
        if query.op == "range_sort":
            enquire.set_sort_by_value(0, True)
        if query.counts:
            return 0, enquire.get_mset(0, 1, self.size).get_matches_lower_bound()
        limit = self.size if query.streams else query.limit
        return sum(1 for _ in enquire.get_mset(0, limit)), None
