package import FresnelModel

/// What is asked of a cluster under load: classes of requests and how often each comes.
package struct Workload: Sendable {
    /// What the report calls it.
    package let name: String
    /// The classes; at least one, weights above 0.
    package let classes: [LoadClass]
    /// The sum of all weights.
    private let weight: Double

    package init(name: String, classes: [LoadClass]) {
        precondition(!classes.isEmpty, "a workload asks something")
        self.name = name
        self.classes = classes
        weight = classes.reduce(0) { $0 + $1.weight }
    }

    /// Files of queries that classes name, as they name them.
    package var queryFiles: [String] {
        classes.compactMap { kind in
            guard case .log(let list) = kind.action else { return nil }
            return list.file
        }
    }

    /// The place of the class that a number in 0..<1 falls into.
    package func place(of uniform: Double) -> Int {
        var left = uniform * weight
        for (place, kind) in classes.enumerated() {
            left -= kind.weight
            if left < 0 { return place }
        }
        return classes.count - 1
    }
}

/// One class of a workload.
package struct LoadClass: Sendable {
    /// What a request of a class does.
    package enum Action: Sendable {
        /// Asks a query made from a template.
        case query(QueryTemplate)
        /// Asks the queries of a log, one after the other, from the beginning again at its end.
        case log(QueryList)
        /// Makes these requests, each once, in their order.
        case recorded([SearchRequest])
        /// Types a text made from `text` letter by letter, each letter a query that takes the
        /// place of the one before; the query's template has `{typed}`.
        case typing(QueryTemplate, text: QueryTemplate, pauseSeconds: Double)
        /// Writes; see ``Write``.
        case write(Write)
    }

    /// Queries of a file, each with the number of its line; at least one.
    package struct QueryList: Sendable {
        /// The file's name, as the workload has it.
        package let file: String
        package let queries: [(line: Int, text: String)]

        /// Reads a query a line; nil where there is none.
        package init?(file: String, lines: [String]) {
            self.file = file
            queries = lines.enumerated().compactMap { number, text in
                text.allSatisfy(\.isWhitespace) ? nil : (number + 1, text)
            }
            if queries.isEmpty { return nil }
        }
    }

    /// A write of the load's own documents, which are removed when it ends.
    package enum Write: String, Hashable, Sendable, CaseIterable {
        /// Indexes one more document, made of a sampled one's texts.
        case index
        /// Changes one attribute of such a document, as an event of engagement does.
        case engage
        /// Deletes such a document.
        case delete
    }

    package let name: String
    /// Where it stands in its file, as `classes[1]`; empty of a class that is in none.
    package var place = ""
    /// How often it comes, beside the others' weights.
    package let weight: Double
    package let action: Action
    /// Everything of a request but its query.
    package var request = SearchRequest("")

    /// The index that it writes into; nil of a class that does not write.
    package var writtenIndex: IndexName? {
        guard case .write = action else { return nil }
        return request.indexes.first ?? .standard
    }

    package init(name: String, weight: Double, action: Action) {
        self.name = name
        self.weight = weight
        self.action = action
    }
}
