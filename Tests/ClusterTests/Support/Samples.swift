import FresnelModel

/// Documents made by number.
enum Samples {
    /// `count` documents `d00000`, `d00001`, … with a word each, a word all share, and a number.
    static func documents(_ range: Range<Int>) -> [Document] {
        range.map { number in
            Document(
                uniqueIdentifier: identifier(number), domainIdentifier: "sample",
                attributes: [
                    "title": .string("Common title number\(number)"),
                    "keywords": .strings(["k\(number % 7)"]),
                    "rating": .number(Double(number % 6)),
                ])
        }
    }

    /// The same as lines of NDJSON.
    static func lines(_ range: Range<Int>) -> String {
        documents(range).map { document in
            let identifier = document.uniqueIdentifier
            return """
                {"uniqueIdentifier":"\(identifier)","attributes":{"title":"Common \(identifier)"}}
                """
        }.joined(separator: "\n") + "\n"
    }

    static func identifier(_ number: Int) -> String {
        let digits = String(number)
        return "d" + String(repeating: "0", count: 5 - digits.count) + digits
    }
}
