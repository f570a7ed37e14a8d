package import FresnelModel

/// What the same question gave before: the same query over the same snapshot has one answer.
package struct AnswerBook: Codable, Sendable {
    private struct Key: Hashable, Codable {
        let query: String
        let place: Int
        let snapshot: [String: UInt64]
    }

    private struct Answer: Hashable, Codable {
        let found: UInt64
        let delivered: UInt64
        let digest: String
    }

    private var answers: [Key: Answer] = [:]
    /// Answers that were compared with an earlier one.
    package private(set) var compared = 0
    /// The first few that differed, each as a sentence.
    package private(set) var differences: [String] = []

    /// No more questions are remembered.
    static let questionsMost = 100_000
    /// No more differences are told.
    static let differencesMost = 20

    package init() {}

    /// Takes a whole answer; false if it is not the one that was given before.
    ///
    /// - Parameter place: the class, whose limit and order belong to the question.
    package mutating func take(_ query: String, place: Int, _ completion: Completion) -> Bool {
        let snapshot = completion.snapshot.map { ($0.key.text, $0.value.value) }
        let key = Key(
            query: query, place: place, snapshot: Dictionary(uniqueKeysWithValues: snapshot))
        let answer = Answer(
            found: completion.found, delivered: completion.delivered, digest: completion.digest)
        return take(key, answer)
    }

    /// Takes what was answered to another process of the load.
    package mutating func add(_ other: AnswerBook) {
        compared += other.compared
        for difference in other.differences { complain(difference) }
        for (key, answer) in other.answers { _ = take(key, answer) }
    }

    private mutating func take(_ key: Key, _ answer: Answer) -> Bool {
        guard let known = answers[key] else {
            if answers.count < Self.questionsMost { answers[key] = answer }
            return true
        }
        compared += 1
        guard known != answer else { return true }
        complain(
            "\(key.query): found \(answer.found) with digest \(answer.digest), and \(known.found) "
                + "with digest \(known.digest) at the same snapshot before")
        return false
    }

    /// Takes what is wrong with an answer by another measure.
    package mutating func complain(_ difference: String) {
        if differences.count < Self.differencesMost { differences.append(difference) }
    }
}
