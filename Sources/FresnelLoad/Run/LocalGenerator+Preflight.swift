import FresnelClient
import FresnelModel
import FresnelQuery
import FresnelSystem

// Every class is asked once before anything is measured: a load of queries that nobody can answer
// measures nothing, and is better told in the first second than after the last.

extension LocalGenerator {
    /// Reads every query that the workload has written down, and asks each class once.
    ///
    /// What a cluster refuses because of its state, and not because of the question, is a reason
    /// only where every class has one.
    ///
    /// - Returns: What is odd about a class and no mistake, as an attribute that nothing has, each
    ///   a sentence with the class; the first few.
    /// - Throws: `PreflightError` naming classes, files and lines; `SearchError` of the first class
    ///   where all fail for now.
    package func preflight() async throws -> [String] {
        var complaints = settings.workload.classes.compactMap(complaintAboutIndex)
        for kind in settings.workload.classes { complaints += unreadable(in: kind) }
        guard complaints.isEmpty else { throw PreflightError(complaints: complaints) }
        var passing: [SearchError] = []
        var remarks: [String] = []
        for (number, kind) in settings.workload.classes.enumerated() where !Task.isCancelled {
            do throws(SearchError) {
                for warning in try await ask(kind, number) {
                    remarks.append("\(kind.title): \(warning.message)")
                }
            } catch {
                if error.isRetriable {
                    passing.append(error)
                } else {
                    complaints.append(
                        PreflightError.Complaint(
                            place: kind.title, text: "\(error)", error: error))
                }
            }
        }
        guard complaints.isEmpty else {
            // A document that a class could write is not left.
            try? await clear()
            throw PreflightError(complaints: complaints)
        }
        if let first = passing.first, passing.count == settings.workload.classes.count {
            throw first
        }
        return Array(remarks.prefix(PreflightError.complaintsMost))
    }

    /// Makes one request of a class, and returns what was odd about it.
    private func ask(
        _ kind: LoadClass, _ number: Int
    ) async throws(SearchError) -> [Warning] {
        var draws = SeededGenerator(seed: settings.seed &+ UInt64(number))
        if case .write(let write) = kind.action {
            try await writers.writer(of: kind)?.perform(write, terms: terms, &draws)
            return []
        }
        var last: SearchError?
        for request in requests(of: kind, &draws) {
            do throws(SearchError) {
                return try await ask(request)
            } catch {
                last = error
            }
        }
        if let last { throw last }
        return []
    }

    /// Asks once, and again after a pause where the cluster has too much to do.
    private func ask(_ request: SearchRequest) async throws(SearchError) -> [Warning] {
        var request = request
        request.limit = min(request.limit ?? Moment.pageSize, Moment.pageSize)
        for pause in Self.pauses {
            do throws(SearchError) {
                let completion = try await clients[0].search(request).completion()
                if let error = completion.error { throw error }
                return completion.warnings
            } catch {
                guard let pause, error.isRetriable else { throw error }
                // A cancelled pause ends in a request that is cancelled too.
                try? await Task.sleep(for: pause)
            }
        }
        return []
    }

    /// Between two tries of what was refused.
    private static var pauses: [Duration?] { [.milliseconds(200), .milliseconds(800), nil] }

    /// Some requests of a class; one that is answered is enough.
    private func requests(
        of kind: LoadClass, _ draws: inout SeededGenerator
    ) -> [SearchRequest] {
        var request = kind.request
        switch kind.action {
        case .query(let template):
            request.query = template.filled(from: terms, by: &draws)
        case .typing(let template, let text, _):
            let typed = text.filled(from: terms, by: &draws)
            request.query = template.filled(from: terms, typed: typed, by: &draws)
        case .log(let log):
            request.query = log.queries[0].text
        case .recorded(let requests):
            // Who was recorded may have asked what is wrong.
            return Array(requests.prefix(Self.recordedTried))
        case .write: return []
        }
        return [request]
    }

    private static var recordedTried: Int { 10 }

    /// An index that a class writes into and that is not there; nobody is to make one unasked.
    private func complaintAboutIndex(of kind: LoadClass) -> PreflightError.Complaint? {
        guard let index = kind.writtenIndex, index != .standard,
            !status.indexes.contains(where: { $0.name == index.text })
        else { return nil }
        return PreflightError.Complaint(
            place: kind.title,
            text: "there is no index \(index.text) to write into; `fresnel status` names the "
                + "indexes", error: nil)
    }

    /// Queries of a class that no cluster can read.
    private func unreadable(in kind: LoadClass) -> [PreflightError.Complaint] {
        var draws = SeededGenerator(seed: settings.seed)
        var queries = kind.request.filters.map { (place: "\(kind.title), filter", text: $0) }
        switch kind.action {
        case .query, .typing:
            queries += requests(of: kind, &draws).map { (kind.title, $0.query) }
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
        let asked = status.indexes.map(\.name).filter { names.isEmpty || names.contains($0) }
        let schemas = asked.compactMap { name -> AttributeSchema? in
            // A name that the cluster tells is one.
            guard let name = try? IndexName(name) else { return nil }
            return status.schema(of: name)
        }
        return schemas.isEmpty ? [status.schema(of: .standard)] : schemas
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
    fileprivate var title: String {
        place.isEmpty ? "class \(name)" : name == place ? place : "\(place) \"\(name)\""
    }
}
