/// A catalogue made of a seed.
///
/// No file is needed, no licence asked, and every machine makes the same one. Words are as frequent
/// as words are: the n-th has a share like 1/n.
struct SampleCatalogue {
    static let documentCount = 12_000
    private static let wordCount = 6000
    private static let numberLimit = 1000

    /// The vocabulary, the most frequent first.
    private let words: [String]
    /// The words of each document.
    private let texts: [[Int]]
    /// The number of each document.
    private let numbers: [Int]
    /// The documents that have each word, ascending.
    private let postings: [[Int]]
    private var random: SampleRandom

    init(seed: UInt64) {
        var random = SampleRandom(seed: seed)
        let words = Self.vocabulary(&random)
        let texts = (0..<Self.documentCount).map { _ in
            (0..<8 + random.below(40)).map { _ in random.zipf(words.count) }
        }
        var postings = [[Int]](repeating: [], count: words.count)
        for (document, text) in texts.enumerated() {
            for word in Set(text) { postings[word].append(document) }
        }
        self.words = words
        self.texts = texts
        self.postings = postings
        numbers = texts.map { _ in random.below(Self.numberLimit) }
        self.random = random
    }

    private static func vocabulary(_ random: inout SampleRandom) -> [String] {
        let (consonants, vowels) = (Array("bcdfghklmnprstvwz"), Array("aeiou"))
        var words: [String] = []
        var known: Set<String> = []
        while words.count < wordCount {
            var word = ""
            for _ in 0..<1 + random.below(4) {
                word.append(consonants[random.below(consonants.count)])
                word.append(vowels[random.below(vowels.count)])
                if random.below(3) == 0 { word.append(consonants[random.below(consonants.count)]) }
            }
            if known.insert(word).inserted { words.append(word) }
        }
        return words
    }

    /// The documents as NDJSON.
    ///
    /// - Parameter areWritten: whether words have capitals where people write some, and every
    ///   hundredth text a trademark sign by itself, across which no word of a query stands.
    func documents(areWritten: Bool = false) -> String {
        var lines = ""
        for (number, text) in texts.enumerated() {
            var joined = text.enumerated().map { place, word in
                areWritten && (number + place) % 12 == 0
                    ? words[word].prefix(1).uppercased() + words[word].dropFirst() : words[word]
            }.joined(separator: " ")
            if areWritten, number % 100 == 0 { joined += " ™" }
            lines += """
                {"uniqueIdentifier":"sample:\(number &* 7919 % 100_003)-\(number)",\
                "kind":"product","attributes":{"contentDescription":"\(joined)",\
                "\(Catalogue.number)":\(numbers[number])}}

                """
        }
        return lines
    }
}

extension SampleCatalogue {
    /// A query: its text, how many documents match, and what else a line of a workload has: the
    /// same question in parts, as peers ask it.
    private typealias Query = (text: String, expected: Int, more: String)

    /// The workload: so many queries of each class, each with the count it must have.
    mutating func workload(queries: Int) -> String {
        var lines = ""
        for number in 1...12 {
            for _ in 0..<queries {
                let (text, expected, more) = query(number)
                let quoted = text.replacing("\"", with: "\\\"")
                let limit = [10, 11, 12].contains(number) ? 0 : 10
                lines += """
                    {"class":"Q\(number)","cs":"\(quoted)","expect":\(expected),\
                    "limit":\(limit)\(more)}

                    """
            }
        }
        return lines
    }

    /// A workload that ignores accents, too, as most queries of people do; with the same counts.
    static func ignoringAccents(_ workload: String) -> String {
        workload.replacing("\\\"wc\"", with: "\\\"cdw\"")
            .replacing("\\\"wc ", with: "\\\"cdw ").replacing("*\\\"c\"", with: "*\\\"cd\"")
    }

    private mutating func query(_ number: Int) -> Query {
        switch number {
        case 1: return word(in: 2...20)
        case 2: return word(in: 2000...Self.documentCount)
        case 3: return pair("&&")
        case 4: return pair("||")
        case 5: return part(isPrefix: true)
        case 6, 12: return part(isPrefix: false)
        case 7: return phrase()
        case 8:
            let (word, range) = (pick(in: 50...2000), interval())
            let count = postings[word].count { range.contains(numbers[$0]) }
            let more = operation("word_range", [words[word]]) + bounds(of: range)
            return ("\(term(word)) && \(text(of: range))", count, more)
        case 9:
            let range = interval()
            let found = numbers.filter { range.contains($0) }.sorted(by: >)
            let more = operation("range_sort", []) + bounds(of: range)
            return (
                text(of: range), found.count, "\(more),\"desc\":true,\"top\":\(found.prefix(10))"
            )
        case 10: return query([1, 3, 5, 7][random.below(4)])
        default: return word(in: 300...3000)
        }
    }

    private func term(_ word: Int) -> String { "**==\"\(words[word])\"wc" }

    /// What a query does with which words, none of which needs an escape in JSON.
    private func operation(_ name: String, _ terms: [String]) -> String {
        let quoted = terms.map { "\"\($0)\"" }.joined(separator: ",")
        return ",\"op\":\"\(name)\",\"terms\":[\(quoted)]"
    }

    private func bounds(of range: ClosedRange<Int>) -> String {
        ",\"lo\":\(range.lowerBound),\"hi\":\(range.upperBound)"
    }

    private mutating func pick(in counts: ClosedRange<Int>) -> Int {
        while true {
            let word = random.zipf(words.count)
            if counts.contains(postings[word].count) { return word }
        }
    }

    private mutating func word(in counts: ClosedRange<Int>) -> Query {
        let word = pick(in: counts)
        return (term(word), postings[word].count, operation("word", [words[word]]))
    }

    private mutating func pair(_ connector: String) -> Query {
        let first = pick(in: 100...4000)
        var second = first
        while second == first { second = pick(in: 100...4000) }
        let (left, right) = (Set(postings[first]), Set(postings[second]))
        let found = connector == "&&" ? left.intersection(right) : left.union(right)
        let more = operation(connector == "&&" ? "and" : "or", [words[first], words[second]])
        return ("\(term(first)) \(connector) \(term(second))", found.count, more)
    }

    private mutating func part(isPrefix: Bool) -> Query {
        let word = Array(words[pick(in: 3...1000)])
        let length = min(word.count, 3 + random.below(2))
        let start = isPrefix ? 0 : random.below(word.count - length + 1)
        let part = String(word[start..<start + length])
        var found: Set<Int> = []
        for (number, word) in words.enumerated()
        where isPrefix ? word.hasPrefix(part) : word.contains(part) {
            found.formUnion(postings[number])
        }
        let text = isPrefix ? "**==\"\(part)*\"wc" : "**==\"*\(part)*\"c"
        return (text, found.count, operation(isPrefix ? "prefix" : "infix", [part]))
    }

    private mutating func phrase() -> Query {
        let text = texts[random.below(texts.count)]
        let start = random.below(text.count - 1)
        let (first, second) = (text[start], text[start + 1])
        let found = postings[first].count { document in
            let text = texts[document]
            return text.indices.dropLast().contains {
                text[$0] == first && text[$0 + 1] == second
            }
        }
        let more = operation("phrase", [words[first], words[second]])
        return ("**==\"\(words[first]) \(words[second])\"wc", found, more)
    }

    private mutating func interval() -> ClosedRange<Int> {
        let lower = random.below(Self.numberLimit - 300)
        return lower...lower + random.below(300)
    }

    private func text(of range: ClosedRange<Int>) -> String {
        "InRange(\(Catalogue.number),\(range.lowerBound),\(range.upperBound))"
    }
}

/// SplitMix64 (Steele, Lea & Flood 2014).
struct SampleRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }

    /// A rank below `count`, about as likely as 1/rank.
    ///
    /// Each power of two of ranks is equally likely. Whole numbers only: the same on every machine.
    mutating func zipf(_ count: Int) -> Int {
        let bits = Int.bitWidth - count.leadingZeroBitCount
        while true {
            let power = below(bits)
            let rank = (1 << power) + below(1 << power) - 1
            if rank < count { return rank }
        }
    }
}
