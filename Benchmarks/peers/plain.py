"""Documents and queries as lines with tabs, for programs without a JSON parser.

    plain.py DATA WORKLOAD FOLDER    writes FOLDER/documents.tsv and FOLDER/queries.tsv

A document is called by its number, or by its identifier where peers know those.
"""

import sys

import workload


def main(data, queries, folder):
    with open(f"{folder}/documents.tsv", "w", encoding="utf-8") as out:
        of = workload.identified if workload.IDENTIFIED else workload.documents
        for name, text, n in of(data):
            out.write(f"{name}\t{n}\t{text}\n")
    with open(f"{folder}/queries.tsv", "w", encoding="utf-8") as out:
        for asked in workload.queries(queries).values():
            for query in asked:
                fields = (
                    query.kind, query.op, query.low, query.high, query.limit, query.expect,
                    *query.terms)
                out.write("\t".join(map(str, fields)) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
