package import FresnelModel
import FresnelQuery
import FresnelSystem

/// Finds what no cluster can answer in a workload, without asking one.
package struct WorkloadCheck: Sendable {
    /// Where words are drawn from.
    private let terms: TermSample
    private let seed: UInt64
    /// The indexes that there are, with what they declare.
    private let indexes: [(name: String, schema: AttributeSchema)]

    package init(
        terms: TermSample, seed: UInt64, indexes: [(name: String, schema: AttributeSchema)]
    ) {
        self.terms = terms
        self.seed = seed
        self.indexes = indexes
    }

    /// What is wrong with the classes: indexes to write into that are not there, and queries that
    /// cannot be read.
    package func complaints(about workload: Workload) -> [PreflightError.Complaint] {
        workload.classes.compactMap(complaintAboutIndex)
            + workload.classes.flatMap { unreadable(in: $0) }
    }

    /// The same, and indexes that are asked and are not there.
    ///
    /// - Throws: `PreflightError` where there is something.
    package func checkAll(of workload: Workload) throws(PreflightError) {
        let unknown = workload.classes.compactMap { kind -> PreflightError.Complaint? in
            guard kind.writtenIndex == nil else { return nil }
            return complaint(about: kind.request.indexes, of: kind, "ask")
        }
        let complaints = unknown + complaints(about: workload)
        guard complaints.isEmpty else { throw PreflightError(complaints: complaints) }
    }

    /// An index that a class writes into and that is not there; nobody is to make one unasked.
    private func complaintAboutIndex(of kind: LoadClass) -> PreflightError.Complaint? {
        guard let index = kind.writtenIndex, index != .standard else { return nil }
        return complaint(about: [index], of: kind, "write into")
    }

    private func complaint(
        about asked: [IndexName], of kind: LoadClass, _ verb: String
    ) -> PreflightError.Complaint? {
        let strange = asked.first { index in !indexes.contains { $0.name == index.text } }
        guard let strange else { return nil }
        let names = indexes.map(\.name).joined(separator: ", ")
        return PreflightError.Complaint(
            place: kind.title,
            text: "there is no index \(strange.text) to \(verb); there are: \(names)", error: nil)
    }

    /// Queries of a class that no cluster can read.
    private func unreadable(in kind: LoadClass) -> [PreflightError.Complaint] {
        var draws = SeededGenerator(seed: seed)
        var queries = kind.request.filters.map { (place: "\(kind.title), filter", text: $0) }
        switch kind.action {
        case .query, .typing:
            if let query = kind.query(from: terms, by: &draws) {
                queries.append((kind.title, query))
            }
        case .log(let log):
            queries += log.queries.map { ("\(kind.title), \(log.file) line \($0.line)", $0.text) }
        case .recorded, .write: break
        }
        let schemas = schemas(of: kind)
        return queries.compactMap { place, text in
            Self.complaint(about: text, schemas).map {
                PreflightError.Complaint(place: place, text: $0, error: nil)
            }
        }
    }

    /// What the indexes declare that a class asks; the built-in attributes where it names none
    /// that is there.
    private func schemas(of kind: LoadClass) -> [AttributeSchema] {
        let names = Set(kind.request.indexes.map(\.text))
        let asked = indexes.filter { names.isEmpty || names.contains($0.name) }
        return asked.isEmpty ? [AttributeSchema()] : asked.map(\.schema)
    }

    /// What is wrong with a query for every index, with a mark under the place; nil if nothing is.
    private static func complaint(about query: String, _ schemas: [AttributeSchema]) -> String? {
        var complaint: QueryError?
        for schema in schemas {
            do throws(QueryError) {
                _ = try QueryParser.parse(query, options: ParseOptions(schema: schema))
                return nil
            } catch {
                complaint = error
            }
        }
        guard let complaint else { return nil }
        let mark = complaint.pointer(in: query).split(separator: "\n").map { "\n  \($0)" }
        let advice = complaint.hint.map { "\nhint: \($0)" } ?? ""
        return "invalid query: expected \(complaint.expected), found \(complaint.found)"
            + mark.joined() + advice
    }
}

extension LoadClass {
    /// As `classes[1] "words"`; the name alone where it is in no file, or has none of its own.
    var title: String {
        place.isEmpty ? "class \(name)" : name == place ? place : "\(place) \"\(name)\""
    }

    /// A query of a template with its places filled; nil of a class that has none.
    func query(from terms: TermSample, by draws: inout SeededGenerator) -> String? {
        switch action {
        case .query(let template): return template.filled(from: terms, by: &draws)
        case .typing(let template, let text, _):
            let typed = text.filled(from: terms, by: &draws)
            return template.filled(from: terms, typed: typed, by: &draws)
        case .log, .recorded, .write: return nil
        }
    }
}
