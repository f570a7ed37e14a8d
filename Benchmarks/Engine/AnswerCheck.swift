import BenchmarkWorkload
import FresnelModel
import FresnelWire

/// Compares answers with what a workload expects.
struct AnswerCheck {
    let runner: QueryRunner

    /// Throws when a query has another count, too few hits, or the wrong order.
    func check(_ query: WorkloadQuery) throws {
        var search = QueryRunner.search(query)
        if !query.top.isEmpty { search.attributes = [Catalogue.number] }
        let answer = try runner.answer(search, keepsBodies: !query.top.isEmpty)
        guard Int(answer.found) == query.expected else {
            throw BenchmarkError.wrongAnswer(
                "\(query.text) finds \(answer.found), not \(query.expected)")
        }
        let hits = search.countOnly ? 0 : min(query.limit ?? .max, query.expected)
        guard answer.hits == hits else {
            throw BenchmarkError.wrongAnswer("\(query.text) gives \(answer.hits), not \(hits)")
        }
        guard !query.top.isEmpty else { return }
        let numbers = try answer.bodies.map { try number(in: $0) }
        guard numbers == Array(query.top.prefix(numbers.count)) else {
            throw BenchmarkError.wrongAnswer("\(query.text) gives \(numbers), not \(query.top)")
        }
    }

    private func number(in body: [UInt8]) throws -> Double {
        let document = try DocumentCoding.decode(HitBody(body).document)
        switch document.attributes[Catalogue.number] {
        case .number(let number): return number
        case .date(let date): return ((date.seconds + 978_307_200) / 86_400).rounded()
        default: throw BenchmarkError.wrongAnswer("a hit has no number")
        }
    }
}
