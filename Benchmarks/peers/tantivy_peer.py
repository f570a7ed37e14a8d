"""tantivy through its Python binding: BM25 with block-max pruning, counts by a collector."""

import re

import tantivy

from workload import documents

NAME = tantivy.__version__.split(",")[0]


class Peer:
    def __init__(self, data, folder):
        builder = tantivy.SchemaBuilder()
        builder.add_text_field(
            "t", stored=False, tokenizer_name="spaces", index_option="position")
        builder.add_integer_field("n", stored=False, indexed=True, fast=True)
        builder.add_integer_field("id", stored=False, indexed=False, fast=True)
        self.schema = builder.build()
        self.index = tantivy.Index(self.schema, path=folder)
        spaces = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
        self.index.register_tokenizer("spaces", spaces)
        writer = self.index.writer(heap_size=512_000_000, num_threads=1)
        for number, text, n in documents(data):
            writer.add_document(tantivy.Document(t=text, n=n, id=number))
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()

    def can(self, query):
        return True

    def parts(self, query):
        return [tantivy.Query.term_query(self.schema, "t", term) for term in query.terms]

    def range(self, query):
        return tantivy.Query.range_query(
            self.schema, "n", tantivy.FieldType.Integer, query.low, query.high)

    def query(self, query):
        must, should = tantivy.Occur.Must, tantivy.Occur.Should
        boolean = tantivy.Query.boolean_query
        match query.op:
            case "word":
                return self.parts(query)[0]
            case "and":
                return boolean([(must, part) for part in self.parts(query)])
            case "or":
                return boolean([(should, part) for part in self.parts(query)])
            case "prefix" | "infix":
                start = "" if query.op == "prefix" else ".*"
                pattern = start + re.escape(query.terms[0]) + ".*"
                return tantivy.Query.regex_query(self.schema, "t", pattern)
            case "phrase":
                return tantivy.Query.phrase_query(self.schema, "t", list(query.terms))
            case "word_range":
                return boolean([(must, self.parts(query)[0]), (must, self.range(query))])
            case "range_sort":
                return self.range(query)

    def search(self, query):
        wanted = self.query(query)
        if query.counts:
            return 0, self.searcher.search(wanted, limit=1, count=True).count
        limit = self.searcher.num_docs if query.streams else query.limit
        order = {"order_by_field": "n"} if query.op == "range_sort" else {}
        found = self.searcher.search(wanted, limit=limit, count=False, **order)
        return len(found.hits), None
