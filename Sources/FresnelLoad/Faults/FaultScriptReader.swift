/// Reads the words of a ``FaultScript`` one after the other, and knows where they stand.
struct FaultScriptReader {
    typealias Fault = FaultScript.Fault

    private let text: [Character]
    private let workers: Int
    private let seconds: Double
    private var place = 0

    init(_ text: String, workers: Int, seconds: Double) {
        self.text = Array(text)
        self.workers = workers
        self.seconds = seconds
    }

    /// All faults by their times, each with the column of its action.
    mutating func faults() throws(FaultScriptError) -> [(fault: Fault, column: Int)] {
        var faults: [(fault: Fault, column: Int)] = []
        while true {
            // An end after a semicolon is one, an empty script is not.
            if !faults.isEmpty, peek().word.isEmpty, isAtEnd { break }
            faults.append(try fault())
            guard faults.count <= FaultScript.faultsMost else {
                throw .at(place + 1, "more than \(FaultScript.faultsMost) faults")
            }
            skipBlanks()
            if isAtEnd { break }
            guard text[place] == ";" else {
                throw .at(place + 1, "expected ; between faults")
            }
            place += 1
        }
        let sorted = faults.enumerated().sorted {
            ($0.element.fault.seconds, $0.offset) < ($1.element.fault.seconds, $1.offset)
        }
        return sorted.map(\.element)
    }

    private mutating func fault() throws(FaultScriptError) -> (fault: Fault, column: Int) {
        let (start, at) = word()
        guard at == "at" else { throw .at(start, "expected 'at', not \(Self.quoted(at))") }
        let time = try time()
        let (column, verb) = word()
        guard let action = FaultScript.Action(rawValue: verb) else {
            throw .at(
                column, "expected kill, stop, continue or start, not \(Self.quoted(verb))")
        }
        return (Fault(seconds: time, action: action, target: try target()), column)
    }

    private mutating func time() throws(FaultScriptError) -> Double {
        let (column, word) = word()
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60)]
        for (unit, factor) in units where word.hasSuffix(unit) {
            guard let number = Double(word.dropLast(unit.count)), number.isFinite, number >= 0
            else { break }
            guard number * factor <= seconds else {
                throw .at(
                    column,
                    "\(word) is after the end of the measurement, which lasts "
                        + "\(Figure.plain(seconds)) s")
            }
            return number * factor
        }
        throw .at(column, "expected a time such as 20s or 500ms, not \(Self.quoted(word))")
    }

    private mutating func target() throws(FaultScriptError) -> FaultScript.Target {
        let (column, word) = word()
        if word == "broker" { return .broker }
        guard word.hasPrefix("worker-"), let number = Int(word.dropFirst("worker-".count)) else {
            throw .at(column, "expected broker or worker-1, not \(Self.quoted(word))")
        }
        guard (1...workers).contains(number) else {
            let there = workers == 1 ? "is 1 worker" : "are \(workers) workers"
            throw .at(column, "there is no \(word): there \(there) only")
        }
        return .worker(number)
    }

    private var isAtEnd: Bool { place >= text.count }

    private mutating func skipBlanks() {
        while !isAtEnd, text[place].isWhitespace { place += 1 }
    }

    /// The next word and its column, without taking it.
    private mutating func peek() -> (column: Int, word: String) {
        skipBlanks()
        let rest = text[place...].prefix { !$0.isWhitespace && $0 != ";" }
        return (place + 1, String(rest))
    }

    private mutating func word() -> (column: Int, word: String) {
        let next = peek()
        place += next.word.count
        return next
    }

    private static func quoted(_ word: String) -> String {
        word.isEmpty ? "the end" : "'\(word)'"
    }
}
