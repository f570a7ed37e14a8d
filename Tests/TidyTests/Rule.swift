/// One habit of the house, checked file by file.
struct Rule: Sendable {
    let name: String
    let complaints: @Sendable (TextFile) -> [Complaint]

    static let all = sizes + words + texts + imports + explanations + names
}

extension Rule {
    /// What is wrong with a line of code and what to do, nil where it is fine.
    typealias Verdict = (_ code: String) -> String?

    /// A rule about the code of single lines, in files with one of the words.
    ///
    /// `prepare` runs once a file, because a regular expression is compiled where it is written.
    static func code(
        _ name: String, about words: Set<String>,
        in isConcerned: @escaping @Sendable (TextFile) -> Bool = { _ in true },
        _ prepare: @escaping @Sendable () -> Verdict
    ) -> Rule {
        Rule(name: name) { file in
            guard file.isSwift, !file.isGenerated, isConcerned(file),
                !words.isDisjoint(with: file.words)
            else { return [] }
            let verdict = prepare()
            return file.tokens.indices.compactMap { index in
                verdict(file.tokens[index].code).map { file.complaint(index, $0) }
            }
        }
    }
}

extension Regex {
    /// With word boundaries as code has them: Unicode sees none inside `Task.sleep`.
    var inCode: Regex<Output> { wordBoundaryKind(.simple) }
}
