import FresnelJournal
import FresnelModel
import FresnelSystem
import Testing

@Suite("Torn and damaged journals")
struct JournalDamageTests {
    /// A journal of two files, three records in each, and the bytes of the second.
    private struct TwoFiles {
        let bench = JournalBench()
        let records = JournalBench.records(6)
        let paths: [String]
        let contents: [[UInt8]]

        init() throws {
            let writer = try bench.open(fileBytes: 1)
            try writer.write(Array(records[..<3]))
            try writer.write(Array(records[3...]))
            let storage = bench.storage
            paths = try bench.files()
            contents = try paths.map { path throws(SystemError) in try storage.read(path) }
        }
    }

    @Test("Cut at any byte, the last file recovers to whole records and goes on")
    func everyPrefix() throws {
        let journal = try TwoFiles()
        let full = journal.contents[1]
        for length in 0..<full.count {
            for path in try journal.bench.files() { try journal.bench.storage.remove(path) }
            journal.bench.storage.place(journal.contents[0], at: journal.paths[0])
            journal.bench.storage.place(Array(full[..<length]), at: journal.paths[1])
            let read = try journal.bench.readAll()
            #expect(journal.records.starts(with: read.records))
            #expect(read.records.count >= 3)
            let writer = try journal.bench.open()
            #expect(writer.lastSequence == read.records.last?.sequence)
            if case .tornTail(let tail) = read.ending {
                #expect(writer.recovery.tornTail == tail)
                #expect(tail.offset + tail.bytes == length)
            }
            let rest = Array(journal.records[read.records.count...])
            try writer.write(rest)
            let healed = try journal.bench.readAll()
            #expect(healed.records == journal.records, "cut at \(length)")
            #expect(healed.ending == .clean)
        }
    }

    @Test("A cut in a file that is not the last is damage and changes nothing")
    func cutOlderFile() throws {
        let journal = try TwoFiles()
        let full = journal.contents[0]
        for length in 0..<full.count {
            let cut = Array(full[..<length])
            journal.bench.storage.place(cut, at: journal.paths[0])
            let error = #expect(throws: JournalError.self) { try journal.bench.readAll() }
            switch error {
            case .damaged, .gap: break
            default: Issue.record("cut at \(length): \(String(describing: error))")
            }
            #expect(!journal.bench.verify().isSound)
            #expect(try journal.bench.storage.read(journal.paths[0]) == cut)
        }
    }

    @Test("Any flipped bit is noticed: an error, or a shorter journal that says so")
    func everyFlip() throws {
        let journal = try TwoFiles()
        for file in 0..<2 {
            for offset in journal.contents[file].indices {
                var flipped = journal.contents[file]
                flipped[offset] ^= 1 << UInt8(offset % 8)
                journal.bench.storage.place(flipped, at: journal.paths[file])
                let note = "file \(file), byte \(offset)"
                do {
                    let read = try journal.bench.readAll()
                    // Only the end of the last file may look like a torn write.
                    #expect(file == 1, "\(note)")
                    #expect(read.ending != .clean, "\(note)")
                    #expect(read.records == Array(journal.records[..<5]), "\(note)")
                } catch {
                    #expect(!error.description.isEmpty)
                    #expect(!journal.bench.verify().isSound, "\(note)")
                }
            }
            journal.bench.storage.place(journal.contents[file], at: journal.paths[file])
        }
    }

    @Test("Damage with valid records behind it stops recovery and leaves every byte")
    func damageStopsRecovery() throws {
        let journal = try TwoFiles()
        var damaged = journal.contents[1]
        damaged[64 + 20] ^= 1
        journal.bench.storage.place(damaged, at: journal.paths[1])
        let expected = JournalError.damaged(file: journal.paths[1], offset: 64, .checksum)
        #expect(throws: expected) { try journal.bench.open() }
        #expect(try journal.bench.storage.read(journal.paths[1]) == damaged)
        #expect(journal.bench.verify().problems == [expected])
    }

    @Test("A missing file is a gap")
    func missingFile() throws {
        let journal = try TwoFiles()
        let writer = try journal.bench.open(fileBytes: 1)
        try writer.write(JournalBench.records(1, after: writer.lastSequence.value))
        try journal.bench.storage.remove(journal.paths[1])
        let last = try journal.bench.files()[1]
        let expected = JournalError.gap(
            file: last, offset: 32, expected: journal.records[2].sequence,
            found: journal.records[5].sequence)
        #expect(throws: expected) { try journal.bench.readAll() }
        #expect(journal.bench.verify().problems == [expected])
    }

    @Test("The journal of another shard is refused")
    func foreign() throws {
        let journal = try TwoFiles()
        let other = JournalIdentity(indexName: "shop", shard: ShardID(4))
        let location = JournalLocation(directory: JournalBench.directory, identity: other)
        #expect(
            throws: JournalError.foreign(
                file: journal.paths[1], expected: other, found: JournalBench.location.identity)
        ) {
            try JournalWriter(location, environment: journal.bench.environment)
        }
    }

    @Test("Of another shard's journal it is said whose it is, and that it may be the only copy")
    func foreignText() {
        let here = JournalIdentity(indexName: "shop", shard: ShardID(0))
        for (index, words) in [("shop", "of this index"), ("news", "of another index")] {
            let found = JournalIdentity(indexName: index, shard: ShardID(3))
            let text = "\(JournalError.foreign(file: "/j", expected: here, found: found))"
            #expect(text.contains("belongs to shard 3 \(words), not to shard 0"), "\(text)")
            #expect(text.contains("may be the only copy") && !text.contains("remove"), "\(text)")
        }
    }

    @Test("What is left to do about a hole or damage is told, also without a backup")
    func wayOut() {
        let errors: [JournalError] = [
            .gap(file: "/j", offset: 1, expected: SequenceNumber(2), found: SequenceNumber(4)),
            .damaged(file: "/j", offset: 1, .checksum),
        ]
        for error in errors {
            #expect("\(error)".contains("from a backup"))
            #expect("\(error)".contains("start the worker once with --replace-lost"))
        }
    }

    @Test("A file under another file's name is refused")
    func misnamed() throws {
        let journal = try TwoFiles()
        try journal.bench.storage.rename(
            journal.paths[1], to: JournalBench.directory + "/journal-00000000000000000099.fj")
        #expect(throws: JournalError.self) { try journal.bench.open() }
    }

    @Test("Records of another file do not pass, though they are whole")
    func recycled() throws {
        let journal = try TwoFiles()
        let foreign = JournalBench(seed: 2)
        let writer = try foreign.open()
        try writer.write(journal.records)
        let other = try foreign.storage.read(try foreign.files()[0])
        // The fourth record of the other journal, just where ours goes on after three.
        let ours = journal.contents[0]
        let recycled = ours + other[ours.count...]
        journal.bench.storage.place(recycled, at: journal.paths[0])
        try journal.bench.storage.remove(journal.paths[1])
        let read = try journal.bench.readAll()
        #expect(read.records == Array(journal.records[..<3]))
        let tail = try #require(journal.bench.verify().tornTail)
        #expect(read.ending == .tornTail(tail))
        #expect(tail.cause == .checksum)
    }

    @Test("Names that are not ours are left alone", arguments: ["journal-7.fj", "x", "lock"])
    func otherNames(name: String) throws {
        let journal = try TwoFiles()
        journal.bench.storage.place([1], at: JournalBench.directory + "/" + name)
        #expect(try journal.bench.readAll().records == journal.records)
    }
}
