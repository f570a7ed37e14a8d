import FresnelJournal
import FresnelModel
import FresnelSystem
import Testing

@Suite("What recovery cuts off a journal")
struct JournalTornTailTests {
    /// A journal of one file with six records, and its bytes.
    private struct OneFile {
        let bench = JournalBench()
        let records = JournalBench.records(6)
        let path: String
        let whole: [UInt8]

        init() throws {
            try bench.open().write(records)
            path = try bench.files()[0]
            whole = try bench.storage.read(path)
        }

        /// Puts a cut file there, alone.
        func cut(to length: Int) throws {
            for file in try bench.everyFile() { try bench.storage.remove(file) }
            bench.storage.place(Array(whole[..<length]), at: path)
        }
    }

    @Test("is beside it afterwards: file and tail together are what was there, at any length")
    func keptTail() throws {
        let journal = try OneFile()
        for length in 0..<journal.whole.count {
            try journal.cut(to: length)
            let recovery = try journal.bench.open().recovery
            let left = try journal.bench.storage.size(of: journal.path).map { _ throws in
                try journal.bench.storage.read(journal.path)
            }
            guard let kept = recovery.keptTail else {
                // Nothing was cut: a whole record, a header alone, or an empty file ends there.
                #expect((recovery.tornTail?.bytes ?? 0) == 0, "cut at \(length)")
                #expect(left?.count == length || length == 0 || length == 64, "cut at \(length)")
                continue
            }
            #expect(kept == journal.path + ".torn")
            let tail = try journal.bench.storage.read(kept)
            let torn = try #require(recovery.tornTail)
            #expect(torn.offset + torn.bytes == length)
            #expect((left ?? []) + tail == Array(journal.whole[..<length]), "cut at \(length)")
        }
    }

    @Test("is never a record of the segments: such a journal is refused untouched, at any length")
    func behindCheckpoint() throws {
        let journal = try OneFile()
        let records = journal.records
        for length in 0..<journal.whole.count {
            try journal.cut(to: length)
            let found = try journal.bench.readAll().records.last?.sequence
            // The file's name says where an empty journal can end at most.
            let end = found ?? SequenceNumber(records[0].sequence.value - 1)
            let before = try journal.bench.contents()
            for checkpoint in records.map(\.sequence) where checkpoint > end {
                let error = #expect(throws: JournalError.self) {
                    try journal.bench.open(startingAfter: checkpoint)
                }
                guard case .behind(_, end, checkpoint, _) = error else {
                    Issue.record("cut at \(length): \(String(describing: error))")
                    continue
                }
                #expect(try journal.bench.contents() == before, "cut at \(length)")
            }
            #expect(try journal.bench.open(startingAfter: end).lastSequence == end)
        }
    }

    @Test("A journal that begins behind the checkpoint is refused, also without a record")
    func missingStart() throws {
        let bench = JournalBench()
        try bench.open(startingAfter: SequenceNumber(70)).write(JournalBench.records(1, after: 70))
        let path = try bench.files()[0]
        let whole = try bench.storage.read(path)
        for length in 64..<whole.count {
            bench.storage.place(Array(whole[..<length]), at: path)
            let error = JournalError.notHeld(
                directory: JournalBench.directory, after: SequenceNumber(60),
                oldest: SequenceNumber(70))
            #expect("\(error)".contains(JournalBench.directory), "it names the place")
            #expect("\(error)".contains("put that file back"), "and the way out")
            #expect(throws: error) { try bench.open(startingAfter: SequenceNumber(60)) }
            #expect(try bench.contents() == [path: Array(whole[..<length])])
        }
    }

    @Test("survives a kill between any two steps of recovery, once and whole", arguments: 1...4)
    func kill(seed: UInt64) throws {
        for length in [20, 64, 100, 400] {
            var steps = 0
            while true {
                let journal = try OneFile()
                try journal.cut(to: length)
                try journal.bench.storage.syncDirectory(JournalBench.directory)
                let storage = KilledStorage(journal.bench.storage, afterChanges: steps)
                let environment = Environment(
                    time: ManualTime(), chance: SeededRandom(seed: seed), storage: storage)
                // Dying is what this is for.
                _ = try? JournalWriter(JournalBench.location, environment: environment)
                // A killed process leaves what it wrote; a power failure less.
                if seed > 1 { journal.bench.storage.crash(seed: seed &+ UInt64(steps) * 64) }
                let note = "\(length) bytes, killed after \(steps), seed \(seed)"
                try expectWhole(journal, length: length, note)
                guard storage.isKilled else { break }
                steps += 1
            }
            #expect(steps > (length == 64 ? 1 : 6))
        }
    }

    private func expectWhole(_ journal: OneFile, length: Int, _ note: String) throws {
        let bench = journal.bench
        let writer = try bench.open()
        let records = try bench.readAll().records
        #expect(journal.records.starts(with: records), "\(note)")
        #expect(records.last?.sequence ?? .zero == writer.lastSequence, "\(note)")
        let kept = try bench.everyFile().filter { $0.contains(".torn") && !$0.hasSuffix(".new") }
        #expect(kept.count == (length == 64 ? 0 : 1), "\(note): \(kept)")
        for path in kept {
            let tail = try bench.storage.read(path)
            let front = bench.storage.size(of: journal.path) ?? 0
            #expect(tail == Array(journal.whole[front..<length]), "\(note)")
        }
    }

    @Test(
        "is not cut off before its copy is on disk",
        arguments: [
            StorageFault.write(afterBytes: 3, reason: .inputOutput), .sync(reason: .inputOutput),
            .create(reason: .inputOutput),
        ])
    func failedCopy(fault: StorageFault) throws {
        let journal = try OneFile()
        try journal.cut(to: journal.whole.count - 5)
        let before = try journal.bench.contents()
        journal.bench.storage.inject(fault)
        #expect(throws: JournalError.self) { try journal.bench.open() }
        #expect(try journal.bench.contents() == before)
        #expect(try journal.bench.open().recovery.keptTail == journal.path + ".torn")
    }

    @Test("What a full disk interrupted is cut without a copy, for which there is no room")
    func fullDisk() throws {
        let journal = try OneFile()
        try journal.cut(to: journal.whole.count - 5)
        journal.bench.storage.inject(.write(afterBytes: 3, reason: .noSpace))
        let recovery = try journal.bench.open().recovery
        #expect(recovery.tornTail?.cause == .length && recovery.keptTail == nil)
        #expect(try journal.bench.readAll().records == Array(journal.records.dropLast()))
    }

    @Test("The newest four are kept, and one that goes is named")
    func bounded() throws {
        let bench = JournalBench()
        let records = JournalBench.records(8)
        try bench.open().write([records[0]])
        let path = try bench.files()[0]
        var tails: [[UInt8]] = []
        for round in 1...6 {
            let whole = try bench.storage.read(path)
            let tail = [UInt8](repeating: UInt8(round), count: round)
            bench.storage.place(whole + tail, at: path)
            tails.append(tail)
            let recovery = try bench.open().recovery
            let suffix = round == 1 ? ".torn" : ".torn.\(round)"
            #expect(recovery.keptTail == path + suffix)
            let first = round == 5 ? ".torn" : ".torn.\(round - 4)"
            #expect(recovery.droppedTails == (round > 4 ? [path + first] : []))
        }
        let kept = try bench.everyFile().filter { $0 != path }
        #expect(try kept.map { try bench.storage.read($0) } == Array(tails[2...]))
        #expect(try bench.readAll().records == [records[0]])
    }

    @Test("Damage with a valid record behind it is an error at every byte, never a cut")
    func damageInTheMiddle() throws {
        let journal = try OneFile()
        let lastRecord = journal.whole.count - 72
        for offset in 64..<lastRecord {
            var damaged = journal.whole
            damaged[offset] ^= 0x55
            try journal.cut(to: 0)
            journal.bench.storage.place(damaged, at: journal.path)
            let error = #expect(throws: JournalError.self) { try journal.bench.open() }
            guard case .damaged(journal.path, _, _) = error else {
                Issue.record("byte \(offset): \(String(describing: error))")
                continue
            }
            #expect(try journal.bench.contents() == [journal.path: damaged])
        }
    }
}
