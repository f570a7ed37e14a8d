import FresnelClient
import FresnelModel
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
        let check = WorkloadCheck(
            terms: terms, seed: settings.seed,
            indexes: status.indexes.compactMap { index in
                // A name that the cluster tells is one.
                guard let name = try? IndexName(index.name) else { return nil }
                return (index.name, status.schema(of: name))
            })
        var complaints = check.complaints(about: settings.workload)
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
        case .query, .typing:
            request.query = kind.query(from: terms, by: &draws) ?? ""
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
}
