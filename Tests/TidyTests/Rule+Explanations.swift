extension Rule {
    static let explanations = [swallowedErrors, uncheckedSendability, openTasks]

    private static let swallowedErrors = Rule(name: "swallowed errors") { file in
        guard file.isSwift, !file.isGenerated, !file.isTest, file.words.contains("try") else {
            return []
        }
        return file.tokens.indices.compactMap { index in
            guard file.tokens[index].code.contains(/\btry\?/),
                !file.isExplained(at: index, skipping: "try?")
            else { return nil }
            return file.complaint(index, "try? without its excuse, use a comment above or do-catch")
        }
    }

    private static let uncheckedSendability = Rule(name: "unchecked sendability") { file in
        guard file.isSwift, !file.isGenerated,
            !file.words.isDisjoint(with: ["unchecked", "nonisolated"])
        else { return [] }
        return file.tokens.indices.compactMap { index in
            let code = file.tokens[index].code
            guard
                let marker = ["@unchecked Sendable", "nonisolated(unsafe)"].first(
                    where: { code.contains($0) }), !file.isExplained(at: index, skipping: marker)
            else { return nil }
            return file.complaint(
                index, "\(marker) without proof, use a comment above that gives it")
        }
    }

    private static let openTasks = Rule(name: "open tasks") { file in
        guard !file.isMarkdown, !file.words.isDisjoint(with: ["TODO", "FIXME"]) else {
            return []
        }
        let promise = (/\b(FIXME|TODO(?!\s?\(?#\d))\b/).inCode
        return file.tokens.indices.compactMap { index in
            guard let found = file.tokens[index].comment.firstMatch(of: promise) else {
                return nil
            }
            return file.complaint(
                index, "\(found.1) that nobody will find, use the fix, or an issue: TODO(#12)")
        }
    }
}
