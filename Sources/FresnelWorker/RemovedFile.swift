import FresnelCluster
import FresnelKernels
import FresnelModel

/// The file `removed-indexes`: indexes that were removed, and of which this directory held a part.
///
/// A broker whose state is from before a removal knows the index again, and another worker, which
/// was away, may still hold all of it. Who has removed its part is the witness.
///
/// A line for each index, oldest first: its name, a blank, 32 hexadecimal digits of its identity;
/// then `xxh3 ` with 16 of the XXH3-64 of these lines: `Documentation/file-formats.md`.
struct RemovedFile: Equatable {
    /// An index that was removed.
    struct Mark: Hashable {
        let name: String
        let identity: IndexIdentity
    }

    /// The file's name in a worker's directory.
    static let fileName = "removed-indexes"

    private(set) var marks: [Mark] = []

    init() {}

    /// Reads a file; nil when it is damaged.
    init?(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        for line in lines.dropLast() {
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count == 2,
                let number = UInt128(String(decoding: words[1], as: UTF8.self), radix: 16)
            else { return nil }
            let name = String(decoding: words[0], as: UTF8.self)
            guard IndexName.isValid(name) else { return nil }
            marks.append(Mark(name: name, identity: IndexIdentity(number: number)))
        }
        guard bytes == encoded, marks.count <= Limits.rememberedRemovals else { return nil }
    }

    /// Adds an index that was removed, and forgets the oldest; false where it is known.
    mutating func add(_ mark: Mark) -> Bool {
        guard mark.identity != .unknown, !marks.contains(mark) else { return false }
        marks = (marks + [mark]).suffix(Limits.rememberedRemovals)
        return true
    }

    var encoded: [UInt8] {
        let text = marks.map { "\($0.name) \($0.identity)\n" }.joined()
        let digits = String(Hash.checksum(of: Array(text.utf8)), radix: 16)
        let padding = String(repeating: "0", count: 16 - digits.count)
        return Array("\(text)xxh3 \(padding)\(digits)\n".utf8)
    }
}
