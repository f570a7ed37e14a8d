import FresnelJournal
import FresnelModel
import FresnelSystem
import Testing

@Suite("Writing a journal")
struct JournalWriterTests {
    @Test("What was synced is read back in order, also after opening again")
    func roundTrip() throws {
        let bench = JournalBench()
        let records = JournalBench.records(20)
        let writer = try bench.open()
        try writer.write(Array(records[..<8]))
        try writer.write(Array(records[8..<11]))
        let again = try bench.open()
        #expect(again.recovery.last == records[10].sequence)
        #expect(again.recovery.tornTail == nil)
        try again.write(Array(records[11...]))
        let read = try bench.readAll()
        #expect(read.records == records)
        #expect(read.ending == .clean)
        #expect(bench.verify().isSound)
    }

    @Test("Appended records are invisible and not durable until synced")
    func buffered() throws {
        let bench = JournalBench()
        let records = JournalBench.records(3)
        let writer = try bench.open()
        try writer.append(records[0])
        #expect(try bench.readAll().records.isEmpty)
        #expect(writer.lastSequence == records[0].sequence)
        #expect(writer.syncedSequence == .zero)
        #expect(writer.pendingRecords == 1)
        try writer.sync()
        #expect(writer.syncedSequence == records[0].sequence)
        #expect(writer.pendingBytes == 0)
        try writer.sync()
        #expect(try bench.readAll().records == [records[0]])
    }

    @Test("A sync in two steps is durable once it is waited for", arguments: [1, 1 << 20])
    func inSteps(fileBytes: Int) throws {
        let bench = JournalBench()
        let records = JournalBench.records(4)
        for (number, record) in records.enumerated() {
            let writer = try bench.open(fileBytes: fileBytes)
            #expect(try writer.beginSync() == nil)
            try writer.append(record)
            let sync = try #require(try writer.beginSync())
            #expect(writer.syncedSequence == record.previous)
            try sync.wait()
            try writer.endSync(sync, failure: nil)
            #expect(writer.syncedSequence == record.sequence && writer.pendingRecords == 0)
            bench.storage.crash(seed: UInt64(number))
            #expect(try bench.readAll().records == Array(records[...number]))
        }
        #expect(try bench.files().count == (fileBytes == 1 ? 4 : 1))
    }

    @Test("A record that does not follow the last one is refused and changes nothing")
    func order() throws {
        let bench = JournalBench()
        let records = JournalBench.records(3)
        let writer = try bench.open()
        try writer.append(records[0])
        let error = JournalError.outOfOrder(
            sequence: records[2].sequence, previous: records[2].previous,
            last: records[0].sequence)
        #expect(throws: error) { try writer.append(records[2]) }
        #expect(throws: JournalError.self) { try writer.append(records[0]) }
        try writer.write([records[1], records[2]])
        #expect(try bench.readAll().records == records)
    }

    @Test("A body above the limit is refused and changes nothing")
    func bodyLimit() throws {
        let writer = try JournalBench().open()
        let limit = JournalLimits.bodyBytes
        func record(_ bytes: Int) -> JournalRecord {
            JournalRecord(
                sequence: SequenceNumber(1), previous: .zero, client: 1, batch: 1,
                body: [UInt8](repeating: 1, count: bytes))
        }
        #expect(throws: JournalError.bodyTooLarge(bytes: limit + 1, limit: limit)) {
            try writer.append(record(limit + 1))
        }
        try writer.write([record(limit)])
        #expect(writer.syncedSequence == SequenceNumber(1))
    }

    @Test("Files rotate by size and read as one journal", arguments: [1, 200, 1000])
    func rotation(fileBytes: Int) throws {
        let bench = JournalBench()
        let records = JournalBench.records(30)
        let writer = try bench.open(fileBytes: fileBytes)
        for record in records { try writer.write([record]) }
        #expect(try bench.files().count > 1)
        #expect(try bench.readAll().records == records)
        for after in records {
            let expected = records.filter { $0.sequence > after.sequence }
            #expect(try bench.readAll(after: after.sequence).records == expected)
        }
        #expect(try bench.open(fileBytes: fileBytes).recovery.last == records[29].sequence)
    }

    @Test("Truncation removes exactly the files a checkpoint covers", arguments: 0...12)
    func truncation(checkpoint: Int) throws {
        let bench = JournalBench()
        let records = JournalBench.records(12)
        let writer = try bench.open(fileBytes: 1)
        for record in records { try writer.write([record]) }
        let sequence = checkpoint == 0 ? .zero : records[checkpoint - 1].sequence
        // One record a file: all covered files go, but the newest stays.
        #expect(try writer.truncate(through: sequence) == min(checkpoint, 11))
        let kept = try bench.readAll(after: sequence).records
        #expect(kept == records.filter { $0.sequence > sequence })
        if checkpoint > 0 {
            let oldest = records[min(checkpoint, 11) - 1].sequence
            let error = JournalError.notHeld(
                directory: JournalBench.directory, after: .zero, oldest: oldest)
            #expect(throws: error) { try bench.readAll() }
        }
        let again = try bench.open()
        #expect(again.recovery.last == records[11].sequence)
        try again.write(JournalBench.records(1, after: again.lastSequence.value))
    }

    @Test("A journal that is sealed whole goes whole, and goes on behind its last record")
    func whole() throws {
        let bench = JournalBench()
        let records = JournalBench.records(12)
        let writer = try bench.open(fileBytes: 300)
        for record in records { try writer.write([record]) }
        let last = records[11].sequence
        #expect(try !writer.truncateWhole(through: records[10].sequence))
        #expect(try bench.readAll().records == records)
        #expect(try writer.truncateWhole(through: last))
        #expect(try !writer.truncateWhole(through: last))
        #expect(try bench.open(startingAfter: last).recovery.last == last)
        #expect(writer.lastSequence == last)
        let more = JournalBench.records(2, after: last.value)
        try writer.write(more)
        #expect(try bench.readAll(after: last).records == more)
        #expect(try bench.open(startingAfter: last).recovery.last == more[1].sequence)
        #expect(bench.verify().isSound)
    }

    @Test("Discarding forgets exactly what lies above", arguments: 0...12, [1, 300, 1 << 20])
    func discard(kept: Int, fileBytes: Int) throws {
        let bench = JournalBench()
        let records = JournalBench.records(12)
        let writer = try bench.open(fileBytes: fileBytes)
        for record in records { try writer.write([record]) }
        let sequence = kept == 0 ? .zero : records[kept - 1].sequence
        try writer.discard(after: sequence)
        #expect(writer.lastSequence == sequence)
        #expect(try bench.readAll().records == Array(records[..<kept]))
        let more = JournalBench.records(2, after: sequence.value)
        try writer.write(more)
        #expect(try bench.readAll().records == Array(records[..<kept]) + more)
        #expect(try bench.open().recovery.last == more[1].sequence)
    }

    @Test("A reset journal starts where it is told")
    func reset() throws {
        let bench = JournalBench()
        let writer = try bench.open(fileBytes: 1)
        for record in JournalBench.records(5) { try writer.write([record]) }
        try writer.reset(startingAfter: SequenceNumber(500))
        #expect(try bench.files().isEmpty)
        let more = JournalBench.records(2, after: 500)
        try writer.write(more)
        #expect(try bench.readAll(after: SequenceNumber(500)).records == more)
        #expect(throws: JournalError.self) { try bench.readAll(after: SequenceNumber(499)) }
    }

    @Test("An empty journal starts where it is told and reads as nothing")
    func empty() throws {
        let bench = JournalBench()
        #expect(try bench.readAll().records.isEmpty)
        #expect(bench.verify().isSound)
        let writer = try JournalWriter(
            JournalBench.location, environment: bench.environment,
            startingAfter: SequenceNumber(77))
        #expect(writer.lastSequence == SequenceNumber(77))
        try writer.write(JournalBench.records(1, after: 77))
    }

    @Test("It works on a real disk")
    func disk() throws {
        let directory = "/tmp/fresnel-journal-\(Machine.processID)-\(SystemRandom().next())"
        let storage = DiskStorage()
        let location = JournalLocation(
            directory: directory, identity: JournalBench.location.identity)
        let records = JournalBench.records(10)
        let writer = try JournalWriter(
            location, environment: .system, settings: .init(fileBytes: 300))
        for record in records { try writer.write([record]) }
        let again = try JournalWriter(location, environment: .system)
        #expect(again.recovery.last == records[9].sequence)
        #expect(again.recovery.files > 1)
        #expect(JournalVerifier.verify(location, storage: storage).isSound)
        try again.reset(startingAfter: .zero)
        try storage.remove(directory)
    }
}
