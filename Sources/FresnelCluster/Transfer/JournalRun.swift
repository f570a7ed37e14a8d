/// One journal record on its way from a donor: its place and its bytes as a journal file has them.
package struct TransferEntry: Hashable, Sendable {
    package let sequence: UInt64
    package let record: [UInt8]

    package init(sequence: UInt64, record: [UInt8]) {
        self.sequence = sequence
        self.record = record
    }

    /// Bytes in front of each record: sequence number and length.
    package static let headerBytes = 12
    /// The longest record: a body of 4 MiB and its header.
    static let recordBytes = (4 << 20) + 64

    /// Appends an entry to a run.
    package func encode(into run: inout [UInt8]) {
        for byte in 0..<8 { run.append(UInt8(truncatingIfNeeded: sequence >> (8 * UInt64(byte)))) }
        for byte in 0..<4 { run.append(UInt8(truncatingIfNeeded: record.count >> (8 * byte))) }
        run.append(contentsOf: record)
    }
}

/// The records behind a sequence number as they arrive: bytes that may break off anywhere.
struct JournalRun: Hashable, Sendable {
    /// The records behind this one are being fetched.
    private(set) var after: UInt64
    /// The beginning of an entry whose rest is still to come.
    private(set) var rest: [UInt8] = []
    /// Whether the last answer reached the end of what the donor had.
    private(set) var isExhausted = false
    /// The newest part of the donor, as it said last.
    private(set) var donorSequence: UInt64 = 0

    init(after sequence: UInt64) { after = sequence }

    /// Where the next request continues.
    var offset: UInt64 { UInt64(rest.count) }

    /// Takes in the bytes at `offset`.
    ///
    /// - Returns: the entries that are whole now; nil when the bytes are no run.
    mutating func take(
        _ bytes: [UInt8], total: UInt64, donorSequence: UInt64
    ) -> [TransferEntry]? {
        isExhausted = offset + UInt64(bytes.count) >= total
        self.donorSequence = donorSequence
        rest.append(contentsOf: bytes)
        var entries: [TransferEntry] = []
        var start = 0
        while rest.count - start >= TransferEntry.headerBytes {
            let sequence = number(at: start, bytes: 8)
            let length = Int(number(at: start + 8, bytes: 4))
            guard length <= TransferEntry.recordBytes, sequence > entries.last?.sequence ?? after
            else { return nil }
            let begin = start + TransferEntry.headerBytes
            guard rest.count - begin >= length else { break }
            entries.append(
                TransferEntry(sequence: sequence, record: Array(rest[begin..<begin + length])))
            start = begin + length
        }
        rest.removeFirst(start)
        // What follows is addressed from the last whole record on.
        if let last = entries.last { after = last.sequence }
        return entries
    }

    /// Goes on behind what the replica has by now: records may have come another way meanwhile.
    mutating func advance(to sequence: UInt64) {
        guard sequence != after else { return }
        after = sequence
        rest = []
    }

    private func number(at offset: Int, bytes: Int) -> UInt64 {
        (0..<bytes).reduce(0) { $0 | UInt64(rest[offset + $1]) << (8 * UInt64($1)) }
    }
}
