import FresnelCluster
import FresnelKernels
import FresnelModel
import TestChance

/// A replica as the simulation of copies knows it: records in a chain, some of them in files.
///
/// A record's bytes begin with the sequence number of the one before it, 8 bytes. A file is a run
/// of entries and has the name that its bytes give it.
struct ModelReplica: Equatable {
    var entries: [TransferEntry] = []
    /// How many of the entries each file holds, oldest first; what is left is in memory.
    var groups: [Int] = []
    /// The journal holds what comes behind this place.
    var journalStart = 0
    var identity: UInt64 = 1

    var last: UInt64 { entries.last?.sequence ?? 0 }

    mutating func write(_ sequence: UInt64, using chance: inout SplitMix64) {
        let previous = last
        var record = (0..<8).map { UInt8(truncatingIfNeeded: previous >> (8 * UInt64($0))) }
        for _ in 0..<chance.below(90) { record.append(UInt8(chance.below(256))) }
        entries.append(TransferEntry(sequence: sequence, record: record))
    }

    /// What an entry says about the one before it.
    static func previous(of entry: TransferEntry) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(entry.record[$1]) << (8 * UInt64($1)) }
    }

    /// Appends an entry; false when it follows another record.
    mutating func append(_ entry: TransferEntry) -> Bool {
        guard Self.previous(of: entry) == last else { return false }
        entries.append(entry)
        return true
    }

    /// Puts everything into files, as many entries each as chance says.
    mutating func regroup(using chance: inout SplitMix64) {
        groups = []
        var left = entries.count
        while left > 0 {
            groups.append(min(left, 1 + chance.below(12)))
            left -= groups[groups.count - 1]
        }
    }

    static func encode(_ entries: some Sequence<TransferEntry>) -> [UInt8] {
        var run: [UInt8] = []
        for entry in entries { entry.encode(into: &run) }
        return run
    }

    static func decode(_ run: [UInt8]) -> [TransferEntry] {
        var entries: [TransferEntry] = []
        var start = 0
        func number(_ offset: Int, _ bytes: Int) -> Int {
            (0..<bytes).reduce(0) { $0 | Int(run[offset + $1]) << (8 * $1) }
        }
        while start < run.count {
            let length = number(start + 8, 4)
            entries.append(
                TransferEntry(
                    sequence: UInt64(number(start, 8)),
                    record: Array(run[start + 12..<start + 12 + length])))
            start += 12 + length
        }
        return entries
    }

    static func name(of bytes: [UInt8]) -> String { Hash.digest(of: bytes.span).description }

    /// All entries as files; the rest in memory is one more.
    var files: [(name: String, bytes: [UInt8])] {
        var start = 0
        var files: [(String, [UInt8])] = []
        for count in groups + [entries.count - groups.reduce(0, +)] where count > 0 {
            let bytes = Self.encode(entries[start..<start + count])
            files.append((Self.name(of: bytes), bytes))
            start += count
        }
        return files
    }

    /// The names of files in their order, a line each.
    static func manifest(_ names: [String]) -> [UInt8] {
        Array(("manifest\n" + names.joined(separator: "\n")).utf8)
    }

    static func names(in manifest: [UInt8]) -> [String] {
        String(decoding: manifest, as: UTF8.self).split(separator: "\n").dropFirst()
            .map(String.init)
    }
}
