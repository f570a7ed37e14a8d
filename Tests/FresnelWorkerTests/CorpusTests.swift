import Foundation
import FresnelIndex
import FresnelJournal
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

/// Stored inputs for every reader of bytes from outside, each also damaged in many ways by seed.
///
/// A reader may give a value or an error; it may not stop the process. An input that once did comes
/// into `Tests/Fixtures/corpus`, with a first line that says what it is. `FRESNEL_FUZZ=20000`
/// damages each that often.
@Suite("Readers survive whatever they are given")
struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/corpus")

    private static var rounds: Int {
        ProcessInfo.processInfo.environment["FRESNEL_FUZZ"].flatMap { Int($0) } ?? 60
    }

    /// The inputs of one reader, a list of frames each.
    private static func inputs(_ reader: String) throws -> [(name: String, frames: [[UInt8]])] {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.appending(path: reader), includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "hex" }
            .sorted { $0.path < $1.path }
            .map { file in
                let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                let frames = lines.filter { !$0.hasPrefix("#") }.split(
                    separator: "--", omittingEmptySubsequences: false)
                return (
                    file.lastPathComponent,
                    frames.map { lines in
                        lines.flatMap { $0.split(separator: " ") }
                            .compactMap { UInt8($0, radix: 16) }
                    }
                )
            }
    }

    /// Gives every input to a reader, as it is and damaged.
    private func survive(_ reader: String, _ read: ([[UInt8]]) -> Void) throws {
        let inputs = try Self.inputs(reader)
        #expect(inputs.count >= 5)
        for (number, input) in inputs.enumerated() {
            read(input.frames)
            var chance = SeededGenerator(seed: UInt64(number + 1))
            for _ in 0..<Self.rounds {
                var frames = input.frames
                let place = Int.random(in: 0..<frames.count, using: &chance)
                frames[place] = Self.damaged(frames[place], &chance)
                read(frames)
            }
        }
    }

    private static func damaged(_ bytes: [UInt8], _ chance: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &chance) {
            guard !bytes.isEmpty else { return [UInt8.random(in: 0...255, using: &chance)] }
            let place = Int.random(in: 0..<bytes.count, using: &chance)
            switch Int.random(in: 0..<5, using: &chance) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
            case 1: bytes.removeSubrange(place...)
            case 2:
                for offset in place..<min(bytes.count, place + 8) { bytes[offset] = 0xFF }
            case 3:
                let end = min(bytes.count, place + Int.random(in: 1...64, using: &chance))
                bytes.insert(contentsOf: bytes[place..<end], at: place)
            default: bytes[place] = UInt8.random(in: 0...255, using: &chance)
            }
        }
        return bytes
    }

    @Test("Journals, segments, manifests, and messages with the documents in them")
    func survive() throws {
        for reader in Reader.allCases { try survive(reader.rawValue, reader.read) }
    }

    /// What reads bytes that come from outside.
    private enum Reader: String, CaseIterable {
        case journal, segment, manifest, wire

        func read(_ frames: [[UInt8]]) {
            // Whether it is an error is not asked here, only that it comes to an end.
            switch self {
            case .journal: readJournal(frames[0])
            case .segment: try? SegmentVerifier.verify(SharedBytes(frames[0]))
            case .manifest:
                // As above.
                _ = try? CopiedManifest(
                    decoding: frames[0], of: "shop", shard: ShardID(3), from: "the corpus")
            case .wire:
                // As above.
                guard let message = try? Message(frames: frames) else { return }
                // As above.
                _ = try? DocumentCoding.decode(message.payload ?? [])
            }
        }

        private func readJournal(_ bytes: [UInt8]) {
            let location = JournalLocation(
                directory: "/journal",
                identity: JournalIdentity(indexName: "shop", shard: ShardID(3)))
            let storage = MemoryStorage()
            storage.place(bytes, at: "/journal/journal-00000000000000000005.fj")
            _ = JournalVerifier.verify(location, storage: storage)
            // As above.
            guard var reader = try? JournalReader(location, storage: storage) else { return }
            // As above.
            while let record = try? reader.next() {
                _ = JournalRecord(portable: record.portableBytes)
            }
        }
    }

    @Test("No reader takes much memory for a short input, whatever counts and lengths it claims")
    func claims() async {
        // In a process of its own, to which the system gives no more than a little.
        await #expect(processExitsWith: .success) {
            try AddressSpace.limit(toFurther: 1 << 29)
            for reader in Reader.allCases {
                for input in try Self.inputs(reader.rawValue) {
                    for frames in Self.claims(in: input.frames) { reader.read(frames) }
                }
            }
        }
        await #expect(processExitsWith: .failure) {
            try AddressSpace.limit(toFurther: 1 << 29)
            _ = [UInt8](repeating: 1, count: 1 << 30)
        }
    }

    /// The input with a huge number at one place after another, as each coding writes it.
    private static func claims(in frames: [[UInt8]]) -> [[[UInt8]]] {
        let huge: [[UInt8]] = [
            [0xFF, 0xFF, 0xFF, 0x7F], [0, 0, 0, 0x40, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0, 0],
            [0x80, 0x80, 0x80, 0x80, 0x08], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
        ]
        return frames.indices.flatMap { frame in
            stride(from: 0, to: frames[frame].count, by: max(1, frames[frame].count / 64))
                .flatMap { place in
                    huge.map { number in
                        var changed = frames
                        let end = min(frames[frame].count, place + number.count)
                        changed[frame].replaceSubrange(place..<end, with: number)
                        return changed
                    }
                }
        }
    }

    @Test("Queries")
    func queries() throws {
        let bytes = try Data(contentsOf: Self.folder.appending(path: "queries.json"))
        let texts = try JSONDecoder().decode([String].self, from: bytes)
        #expect(texts.count >= 20)
        for (number, text) in texts.enumerated() {
            // As above.
            _ = try? QueryParser.parse(text)
            var chance = SeededGenerator(seed: UInt64(number + 1))
            for _ in 0..<Self.rounds {
                let damaged = Self.damaged(Array(text.utf8), &chance)
                _ = try? QueryParser.parse(String(decoding: damaged, as: UTF8.self))
            }
        }
    }
}
