extension Rule {
    static let names = [fileNames, typeNames, vagueVerbs]

    /// Words that say nothing (Documentation/glossary.md).
    private static let emptyWords: Set<String> = [
        "data", "info", "manager", "helper", "helpers", "util", "utils", "utility", "utilities",
        "common", "misc",
    ]

    /// Words that the glossary gives to something else, and the word it has for this.
    private static let wrongWords = [
        "node": "worker", "server": "broker", "slave": "worker", "partition": "shard",
        "packet": "frame", "datagram": "message", "bulk": "batch", "wal": "journal",
        "memtable": "head", "compaction": "merge", "doc": "document", "docs": "documents",
    ]

    private static let fileNames = Rule(name: "file names") { file in
        if file.path.contains(" ") {
            return [file.complaint(0, "a blank in the path, use - or CamelCase")]
        }
        let parts = file.path.split { "/.+-_".contains($0) }.flatMap { words(in: String($0)) }
        return parts.filter(emptyWords.contains).map {
            file.complaint(0, "'\($0)' in the path, use a word that says what is inside")
        }
    }

    private static let typeNames = code(
        "type names", about: ["struct", "class", "enum", "actor", "protocol", "typealias"]
    ) {
        let declaration = /\b(?:struct|class|enum|actor|protocol|typealias)\s+([A-Z]\w*)/
        return { code in
            code.firstMatch(of: declaration).flatMap { fault(inName: String($0.1)) }
        }
    }

    private static let vagueVerbs = code("vague verbs", about: ["func"], in: { !$0.isTest }) {
        // One function of SwiftProtobuf's decoders is called so, whoever writes one.
        let verb = /\bfunc (process|handle)(?!ConflictingOneOf\b)(?:[A-Z]\w*)?[(<]/
        return { code in
            code.firstMatch(of: verb).map { "func \($0.1), use the verb for what is done" }
        }
    }

    private static func fault(inName name: String) -> String? {
        for word in words(in: name) {
            if emptyWords.contains(word) {
                return "'\(word)' in the name \(name), use a word that says what it is"
            }
            if let better = wrongWords[word] {
                return "'\(word)' in the name \(name), use \(better) (Documentation/glossary.md)"
            }
        }
        return nil
    }

    /// `HitBatchWriter` is `hit`, `batch`, `writer`.
    static func words(in name: String) -> [String] {
        name.matches(of: /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/).map { $0.0.lowercased() }
    }
}
