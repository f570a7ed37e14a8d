import FresnelJSON
import FresnelQuery

// Where in its file a workload is wrong. JSON that was read has no places any more, so the text is
// walked once again, as far as the key that is named.

extension WorkloadError {
    /// The same with its line, and a mark under the place, where that is found in the text.
    func marked(in bytes: [UInt8]) -> WorkloadError {
        marked(at: WorkloadPlace(place).flatMap { $0.offset(in: bytes) }, of: bytes)
    }

    /// The same with its line, and a mark under the byte at an offset.
    func marked(at offset: Int?, of bytes: [UInt8]) -> WorkloadError {
        guard let offset else { return self }
        var marked = self
        let before = bytes.prefix(offset)
        marked.line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let rest = bytes[start...]
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        // Of nothing there is nothing to show.
        guard end > start else { return marked }
        let pointer = QueryError(offset: offset - start, expected: "", found: "")
            .pointer(in: String(decoding: bytes[start..<end], as: UTF8.self))
        marked.mark = pointer.split(separator: "\n").map { "\n  \($0)" }.joined()
        return marked
    }
}

/// A place as errors name it, `classes[1].weight`, in a text that is known to be JSON.
private struct WorkloadPlace {
    private enum Step {
        case key(String)
        case item(Int)
    }

    private var steps: [Step] = []

    /// Nil of a place that is none of the file, as the name of another file.
    init?(_ text: String) {
        if text == "the file" { return }
        if text.hasPrefix("the file.") {
            steps = [.key(String(text.dropFirst("the file.".count)))]
        } else if text == "classes" {
            steps = [.key(text)]
        } else {
            guard let match = text.wholeMatch(of: /classes\[([0-9]+)\](?:\.(.*))?/),
                let number = Int(match.output.1)
            else { return nil }
            steps = [.key("classes"), .item(number)]
            if let key = match.output.2 { steps.append(.key(String(key))) }
        }
    }

    /// The first byte of the key or item that the place names, or of the nearest one around it.
    func offset(in bytes: [UInt8]) -> Int? {
        var walk = JSONWalk(bytes: bytes)
        var offset = walk.start()
        for step in steps {
            let found =
                switch step {
                case .key(let key): walk.enter(key: key)
                case .item(let number): walk.enter(item: number)
                }
            guard let found else { break }
            offset = found
        }
        return offset
    }
}

/// Goes over JSON token by token, without reading values.
private struct JSONWalk {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Goes to the first token; its offset, nil of a text without one.
    mutating func start() -> Int? {
        skip(Self.isSpace)
        return next == nil ? nil : position
    }

    /// Goes to the value of a key of the object that begins here; the offset of the key.
    mutating func enter(key: String) -> Int? {
        skip(Self.isSpace)
        guard next == UInt8(ascii: "{") else { return nil }
        position += 1
        while true {
            skip { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
            guard next == UInt8(ascii: "\"") else { return nil }
            let start = position
            skipText()
            // Escapes are in none of the known keys, and of an unknown one the object is shown.
            let isFound = bytes[(start + 1)..<max(start + 1, position - 1)].elementsEqual(key.utf8)
            skip { $0 == UInt8(ascii: ":") || Self.isSpace($0) }
            if isFound { return start }
            skipValue()
        }
    }

    /// Goes to an item of the list that begins here; its offset.
    mutating func enter(item: Int) -> Int? {
        skip(Self.isSpace)
        guard next == UInt8(ascii: "[") else { return nil }
        position += 1
        for _ in 0..<item {
            skipValue()
            guard next == UInt8(ascii: ",") else { return nil }
            position += 1
        }
        skip(Self.isSpace)
        return next == nil ? nil : position
    }

    private mutating func skipText() {
        position += 1
        while let byte = next, byte != UInt8(ascii: "\"") {
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        position = min(position + 1, bytes.count)
    }

    private mutating func skipValue() {
        var depth = 0
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                skipText()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return
            default: break
            }
            position += 1
        }
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while let byte = next, isSkipped(byte) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 9...13 ~= byte }
}
