import FresnelJournal
import FresnelModel
import FresnelSystem
import Testing

@Suite("Journals on failing disks")
struct JournalFaultTests {
    @Test(
        "A write that fails at any byte leaves the journal as it was and usable",
        arguments: [ErrorNumber.noSpace, .inputOutput], [1, 1 << 20])
    func failedWrite(reason: ErrorNumber, fileBytes: Int) throws {
        let records = JournalBench.records(6)
        // The three records written last take 72 bytes each.
        for afterBytes in stride(from: 0, to: 216, by: 5) {
            let bench = JournalBench()
            let writer = try bench.open(fileBytes: fileBytes)
            try writer.write(Array(records[..<3]))
            bench.storage.inject(.write(afterBytes: afterBytes, reason: reason))
            let error = #expect(throws: JournalError.self) {
                try writer.write(Array(records[3...]))
            }
            guard case .notWritten(3, records[2].sequence, let cause) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(cause.isDiskFull == (reason == .noSpace))
            #expect(writer.lastSequence == records[2].sequence)
            #expect(try bench.readAll().ending == .clean)
            try writer.write(Array(records[3...]))
            #expect(try bench.readAll().records == records)
        }
    }

    @Test("A full disk refuses writes until truncation makes room")
    func fullDisk() throws {
        let bench = JournalBench()
        let records = JournalBench.records(8)
        let writer = try bench.open(fileBytes: 1)
        for record in records[..<4] { try writer.write([record]) }
        let used = try bench.files().reduce(0) { $0 + (bench.storage.size(of: $1) ?? 0) }
        bench.storage.setCapacity(used)
        #expect(throws: JournalError.self) { try writer.write([records[4]]) }
        #expect(try writer.truncate(through: records[2].sequence) == 3)
        try writer.write([records[4]])
        #expect(try bench.readAll(after: records[2].sequence).records == Array(records[3...4]))
    }

    @Test("A file that cannot be made leaves the journal usable")
    func failedCreation() throws {
        let bench = JournalBench()
        let records = JournalBench.records(2)
        let writer = try bench.open(fileBytes: 1)
        try writer.write([records[0]])
        bench.storage.inject(.create(reason: .noSpace))
        #expect(throws: JournalError.self) { try writer.write([records[1]]) }
        try writer.write([records[1]])
        #expect(try bench.readAll().records == records)
    }

    @Test(
        "After a failed sync the writer refuses all, and opening again is safe", arguments: 1...30)
    func failedSync(seed: UInt64) throws {
        let bench = JournalBench()
        let records = JournalBench.records(6)
        let writer = try bench.open()
        try writer.write(Array(records[..<3]))
        bench.storage.inject(.sync(reason: .inputOutput))
        let error = #expect(throws: JournalError.self) { try writer.write([records[3]]) }
        guard case .notSynced(JournalBench.directory, records[2].sequence, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let poisoned = JournalError.poisoned(directory: JournalBench.directory)
        #expect(throws: poisoned) { try writer.append(records[3]) }
        #expect(throws: poisoned) { try writer.sync() }
        #expect(throws: poisoned) { try writer.truncate(through: .zero) }
        #expect(throws: poisoned) { try writer.discard(after: .zero) }
        // What recovery says is in the journal stays there, even when power fails at once.
        let recovered = try bench.open().recovery.last
        bench.storage.crash(seed: seed)
        #expect(try bench.open().recovery.last == recovered)
        #expect(try bench.readAll().records.starts(with: records[..<3]))
    }

    @Test("A wait for the disk that fails is a failed sync", arguments: [1, 1 << 20])
    func failedWait(fileBytes: Int) throws {
        let bench = JournalBench()
        let records = JournalBench.records(2)
        let writer = try bench.open(fileBytes: fileBytes)
        try writer.write([records[0]])
        try writer.append(records[1])
        let sync = try #require(try writer.beginSync())
        let reason = SystemError.failed(call: "fsync", path: "disk", reason: .inputOutput)
        let error = JournalError.notSynced(
            directory: JournalBench.directory, last: records[0].sequence, cause: reason)
        #expect(throws: error) { try writer.endSync(sync, failure: reason) }
        #expect(writer.syncedSequence == records[0].sequence && writer.isPoisoned)
        #expect(throws: JournalError.self) { try writer.append(records[1]) }
        #expect(try bench.open(fileBytes: fileBytes).recovery.last >= records[0].sequence)
    }

    @Test("Whatever was synced survives crashes at any time", arguments: 1...200)
    func crashes(seed: UInt64) throws {
        let bench = JournalBench(seed: seed)
        var generator = SeededGenerator(seed: seed)
        var durable: [JournalRecord] = []
        for round in 0..<6 {
            let writer = try bench.open(fileBytes: Int.random(in: 1...600, using: &generator))
            // Records of an unfinished sync may have survived too.
            let found = try bench.readAll().records
            #expect(found.starts(with: durable), "seed \(seed), round \(round)")
            durable = found
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let group = JournalBench.records(
                    Int.random(in: 1...4, using: &generator), after: writer.lastSequence.value)
                try writer.write(group)
                durable += group
            }
            try loseSync(of: writer, in: bench, using: &generator)
            bench.storage.crash(seed: generator.next())
        }
        #expect(bench.verify().isSound, "seed \(seed)")
    }

    /// Writes a group whose sync fails, as a crash between write and sync would leave it.
    private func loseSync(
        of writer: JournalWriter, in bench: JournalBench, using generator: inout SeededGenerator
    ) throws {
        guard Bool.random(using: &generator) else { return }
        let written = Int.random(in: 0...400, using: &generator)
        let fault: StorageFault =
            Bool.random(using: &generator)
            ? .sync(reason: .inputOutput) : .write(afterBytes: written, reason: .inputOutput)
        bench.storage.inject(fault)
        for record in JournalBench.records(4, after: writer.lastSequence.value) {
            try writer.append(record)
        }
        // Failing is what this is for; a fault that lies beyond the write lets it pass.
        do { try writer.sync() } catch {}
    }

    @Test("An unreadable file is a storage error, not an empty journal")
    func failedRead() throws {
        let bench = JournalBench()
        try bench.open().write(JournalBench.records(2))
        bench.storage.inject(.read(reason: .inputOutput))
        let error = #expect(throws: JournalError.self) { try bench.open() }
        guard case .storage = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
