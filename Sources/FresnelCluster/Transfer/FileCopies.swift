import FresnelModel

/// A file of a copy, as a look into the directory beside the replica found it.
package struct FoundFile: Hashable, Sendable {
    package let name: String
    /// Bytes from the front that are there.
    package let bytes: UInt64
    /// Whether it was compared with its name.
    package let isWhole: Bool

    package init(name: String, bytes: UInt64 = 0, isWhole: Bool = false) {
        self.name = name
        self.bytes = bytes
        self.isWhole = isWhole
    }
}

/// How much a receiver asks for.
package struct TransferSizes: Hashable, Sendable {
    /// Bytes of one request, at most `Limits.transferChunkBytes`.
    package var requestBytes: UInt64
    /// Bytes that one copy may have asked for and not yet written.
    package var creditBytes: UInt64

    package init(
        requestBytes: UInt64 = UInt64(Limits.transferRequestBytes),
        creditBytes: UInt64 = UInt64(Limits.transferCreditBytes)
    ) {
        self.requestBytes = requestBytes
        self.creditBytes = creditBytes
    }
}

/// The segment files of one copy: what was asked for, what came, what is written.
///
/// Bytes are handed on in order, file by file, so that the length of an unfinished file says what
/// of it is there. What comes early waits, within the credit.
struct FileCopies: Hashable, Sendable {
    /// A piece to ask for.
    struct Wanted: Hashable, Sendable {
        let file: String
        let offset: UInt64
        let length: UInt32
    }

    /// Bytes to write next.
    struct Write: Hashable, Sendable {
        let file: String
        let offset: UInt64
        let bytes: [UInt8]
    }

    private struct Copy: Hashable, Sendable {
        let name: String
        /// Nil until the donor said it.
        var total: UInt64?
        /// Up to where pieces were asked for.
        var asked: UInt64
        /// Up to where bytes were handed on, and up to where they are written.
        var handedOn: UInt64
        var written: UInt64
        /// Came before what precedes it.
        var early: [UInt64: [UInt8]] = [:]
        /// To be asked for again, in order of offset.
        var again: [Wanted] = []
        var isFinishing = false
        var isWhole: Bool

        init(_ found: FoundFile) {
            name = found.name
            asked = found.bytes
            handedOn = found.bytes
            written = found.bytes
            isWhole = found.isWhole
            if found.isWhole { total = found.bytes }
        }
    }

    private var copies: [Copy]
    private var places: [String: Int]
    private let sizes: TransferSizes
    /// Bytes of pieces that were asked for, came early, or are being written.
    private(set) var outstandingBytes: UInt64 = 0

    init(_ files: [FoundFile], sizes: TransferSizes) {
        self.sizes = sizes
        copies = files.map { Copy($0) }
        places = Dictionary(
            files.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Bytes that are written.
    var doneBytes: UInt64 { copies.reduce(0) { $0 + $1.written } }

    var areWhole: Bool { copies.allSatisfy(\.isWhole) }

    /// The next piece to ask for, while the credit covers it; it counts as asked for from now on.
    mutating func next() -> Wanted? {
        let length = sizes.requestBytes
        guard outstandingBytes + length <= sizes.creditBytes else { return nil }
        for place in copies.indices where !copies[place].isWhole && !copies[place].isFinishing {
            if !copies[place].again.isEmpty {
                let wanted = copies[place].again.removeFirst()
                outstandingBytes += UInt64(wanted.length)
                return wanted
            }
            let copy = copies[place]
            // Until the length is known one piece of a file is asked for, which will tell it.
            guard copy.asked < copy.total ?? (copy.handedOn + 1) else { continue }
            let room = copy.total.map { min(length, $0 - copy.asked) } ?? length
            copies[place].asked += room
            outstandingBytes += room
            return Wanted(file: copy.name, offset: copy.asked, length: UInt32(room))
        }
        return nil
    }

    /// A piece that was asked for will not come this time.
    mutating func lost(_ wanted: Wanted) {
        outstandingBytes -= UInt64(wanted.length)
        guard let place = places[wanted.file] else { return }
        copies[place].again.append(wanted)
        copies[place].again.sort { $0.offset < $1.offset }
    }

    /// Takes in the answer to a piece.
    ///
    /// - Returns: what is to be written now, in order; nil when the answer cannot be right.
    mutating func take(_ bytes: [UInt8], for wanted: Wanted, total: UInt64) -> [Write]? {
        guard let place = places[wanted.file], !copies[place].isWhole else { return nil }
        let end = wanted.offset + UInt64(bytes.count)
        guard bytes.count <= Int(wanted.length), total == copies[place].total ?? total,
            end <= total, !bytes.isEmpty || total == wanted.offset
        else { return nil }
        if copies[place].total == nil {
            copies[place].total = total
            copies[place].asked = min(total, wanted.offset + UInt64(wanted.length))
        }
        let expected = min(total, wanted.offset + UInt64(wanted.length))
        outstandingBytes -= UInt64(wanted.length) - UInt64(bytes.count)
        if end < expected {
            copies[place].again.append(
                Wanted(file: wanted.file, offset: end, length: UInt32(expected - end)))
        }
        if !bytes.isEmpty { copies[place].early[wanted.offset] = bytes }
        return writes(of: place)
    }

    /// Bytes that were handed on are written.
    ///
    /// - Returns: whether the whole file is.
    mutating func stored(_ file: String, bytes: Int) -> Bool {
        outstandingBytes -= UInt64(bytes)
        guard let place = places[file] else { return false }
        copies[place].written += UInt64(bytes)
        return isWritten(file)
    }

    /// Whether a file is written to its end and not yet compared with its name.
    func isWritten(_ file: String) -> Bool {
        guard let place = places[file] else { return false }
        return copies[place].written == copies[place].total && !copies[place].isWhole
    }

    /// Files that are written to their end, each told once.
    mutating func takeWritten() -> [String] {
        copies.indices.compactMap { place in
            guard isWritten(copies[place].name), !copies[place].isFinishing else { return nil }
            copies[place].isFinishing = true
            return copies[place].name
        }
    }

    /// A whole file was compared with its name; one that differs is fetched anew.
    mutating func finished(_ file: String, isWhole: Bool) {
        guard let place = places[file] else { return }
        copies[place].isFinishing = false
        copies[place].isWhole = isWhole
        guard !isWhole else { return }
        copies[place] = Copy(FoundFile(name: file))
    }

    private mutating func writes(of place: Int) -> [Write] {
        var writes: [Write] = []
        while let bytes = copies[place].early.removeValue(forKey: copies[place].handedOn) {
            let copy = copies[place]
            writes.append(Write(file: copy.name, offset: copy.handedOn, bytes: bytes))
            copies[place].handedOn += UInt64(bytes.count)
        }
        return writes
    }
}
