import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("Opening a worker's shards and directory")
struct HostingTests {
    /// A worker with one document, and the file of its journal, as it is and damaged.
    private func journaled() throws -> (
        bench: WorkerBench, journal: (path: String, whole: [UInt8], damaged: [UInt8])
    ) {
        let bench = try WorkerBench()
        bench.host()
        _ = try bench.ingest(
            WorkerBench.part(1, after: 0, batch: 1, [WorkerBench.document("lamp")]))
        let path = try #require(try bench.journalFiles().first)
        let whole = try bench.storage.read(path)
        return (bench, (path, whole, [UInt8](repeating: 7, count: 8) + whole[8...]))
    }

    @Test("A shard whose files came back is opened without being assigned again")
    func reopening() throws {
        let (bench, journal) = try journaled()
        bench.storage.place(journal.damaged, at: journal.path)
        bench.restart()
        #expect(bench.host().count == 1)
        #expect(bench.table[WorkerBench.shard] == nil)
        bench.storage.place(journal.whole, at: journal.path)
        bench.pass(seconds: 6)
        let inventories = bench.takeEvents().compactMap { event -> [WireShardInventory]? in
            guard case .hosted(let inventory, failures: _) = event else { return nil }
            return inventory
        }
        #expect(inventories.map { $0.map(\.lastSequence) } == [[1]])
        #expect(bench.search("title == \"lens\"", at: 1).identifiers == ["lamp"])
    }

    @Test("A shard that closes while it is searched is reported once, whenever that happens")
    func closing() throws {
        let bench = try WorkerBench()
        bench.host()
        _ = try bench.ingest(
            WorkerBench.part(1, after: 0, batch: 1, [WorkerBench.document("lamp")]))
        let events = EventList()
        let handler = SearchHandler(table: bench.table, environment: bench.environment) {
            events.append($0)
        }
        var subquery = WireSubquery()
        subquery.search.query = "title == \"lens\""
        subquery.search.delivery = .final
        subquery.search.context.now = 86_400
        var target = WireShardTarget()
        target.index = WorkerBench.shard.index
        target.snapshot = 1
        subquery.targets = [target]
        let control = SearchControl(time: bench.time)
        handler.receive(.count(TaskID(1), subquery, control))
        guard case .counted(_, let statistics)? = events.take().first else {
            Issue.record("not counted")
            return
        }
        subquery.statistics = statistics
        subquery.statistics.sequences = []
        // Between the two questions of a query its journal is opened anew, say.
        bench.table[WorkerBench.shard] = nil
        handler.receive(.match(TaskID(1), subquery, control, queuedAt: 0))
        let reports = events.take().flatMap { event in
            if case .matched(_, let outcome) = event { outcome.reports } else { [] }
        }
        #expect(reports.count == 1)
    }

    @Test("A shard that does not open, and later fails otherwise, is told again, and only then")
    func otherFailure() throws {
        let (bench, journal) = try journaled()
        bench.restart()
        bench.storage.inject(.read(reason: .inputOutput))
        #expect(bench.host().map(\.isDamaged) == [false])
        bench.storage.place(journal.damaged, at: journal.path)
        bench.pass(seconds: 20)
        let told = bench.takeEvents().flatMap { event -> [HostingFailure] in
            if case .hosted(_, let failures) = event { failures } else { [] }
        }
        #expect(told.map(\.isDamaged) == [true])
    }

    @Test("A worker's directory keeps its name, and another name for it is refused")
    func renamed() throws {
        let storage = MemoryStorage()
        let directory = try WorkerDirectory("/worker", storage: storage)
        let chance = SeededRandom(seed: 1)
        #expect(try directory.name(wanted: "east", chance: chance).name == "east")
        #expect(try directory.name(wanted: nil, chance: chance).name == "east")
        let error = #expect(throws: WorkerError.self) {
            try directory.name(wanted: "west", chance: chance)
        }
        guard case .renamed("/worker", "east", "west") = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try directory.name(wanted: "east", chance: chance).name == "east")
    }

    @Test("Any flipped bit of a worker's name is found; one without a checksum gets it at a start")
    func damagedName() throws {
        let storage = MemoryStorage()
        let directory = try WorkerDirectory("/worker", storage: storage)
        let chance = SeededRandom(seed: 1)
        storage.place(Array("east".utf8), at: "/worker/worker-name")
        #expect(try directory.name(wanted: nil, chance: chance).name == "east")
        let sound = try storage.read("/worker/worker-name")
        #expect(String(decoding: sound, as: UTF8.self).hasPrefix("east\nxxh3 "))
        for bit in 0..<sound.count * 8 {
            var damaged = sound
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            storage.place(damaged, at: "/worker/worker-name")
            let error = #expect(throws: WorkerError.self) {
                try directory.name(wanted: nil, chance: chance)
            }
            #expect(error?.description.contains("/worker/worker-name is damaged") == true)
            #expect(try storage.read("/worker/worker-name") == damaged, "nothing is written")
        }
        #expect(try directory.name(wanted: "east", chance: chance).name == "east")
        #expect(try storage.read("/worker/worker-name") == sound)
    }

    @Test(
        "A directory keeps the identity that it was given, and gets another one where that is lost")
    func identity() throws {
        let storage = MemoryStorage()
        let chance = SeededRandom(seed: 1)
        let directory = try WorkerDirectory("/worker", storage: storage)
        let first = directory.identity(chance: chance)
        #expect(first != .unknown && directory.identity(chance: chance) == first)
        let file = "/worker/\(WorkerIdentityFile.fileName)"
        let bytes = try storage.read(file)
        #expect(WorkerIdentityFile(bytes)?.identity == first && bytes.count == 33 + 22)
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] ^= 1
            #expect(WorkerIdentityFile(damaged) == nil, "byte \(place)")
        }
        #expect(WorkerIdentityFile([]) == nil && WorkerIdentityFile(Array(bytes.dropLast())) == nil)
        storage.place([1, 2, 3], at: file)
        let second = directory.identity(chance: chance)
        #expect(second != first && directory.identity(chance: chance) == second)
        // A full disk keeps nobody from starting.
        storage.place([1, 2, 3], at: file)
        storage.setCapacity(1)
        #expect(directory.identity(chance: chance) != .unknown)
    }

    @Test("The file of a worker's name is what file-formats.md says")
    func nameFormat() {
        let bytes = WorkerNameFile("worker-1").encoded
        #expect(String(decoding: bytes, as: UTF8.self) == "worker-1\nxxh3 2ec5ed283b4e684b\n")
        #expect(WorkerNameFile(bytes)?.isProved == true)
        #expect(WorkerNameFile(Array("worker-1".utf8))?.isProved == false)
        #expect(WorkerNameFile(Array(bytes.dropLast())) == nil && WorkerNameFile([]) == nil)
    }

    @Test("Where the broker knows a replica none is made: it is told where it lies, and comes back")
    func missingReplica() throws {
        let bench = try WorkerBench()
        bench.host()
        _ = try bench.ingest(
            WorkerBench.part(1, after: 0, batch: 1, [WorkerBench.document("lamp")]))
        let identity = try #require(bench.handler.inventory.first?.identity)
        let (place, wrong) = ("/worker/indexes/shop/0", "/worker/indexes/shop/7")
        try bench.storage.rename(place, to: wrong)
        bench.restart()
        #expect(bench.host(known: identity).isEmpty)
        #expect(bench.handler.inventory.map(\.identity) == [0], "the broker hears of none")
        #expect(bench.table[WorkerBench.shard] == nil)
        #expect(try !bench.storage.isDirectory(place), "nothing is made")
        let lines = bench.log.lines.filter { $0.contains("there is no replica in") }
        #expect(lines.count == 1 && lines.allSatisfy { $0.contains(place) && $0.contains(wrong) })
        // Also where it lies as something that was set aside, or under any other name.
        try bench.storage.rename(wrong, to: place + ".aside")
        bench.restart()
        #expect(bench.host(known: identity).isEmpty)
        #expect(bench.log.lines.contains { $0.contains("it lies in \(place).aside: stop") })
        try bench.storage.rename(place + ".aside", to: wrong)
        // Put back file by file under a running worker it would be opened in the middle.
        try bench.storage.rename(wrong, to: place)
        bench.pass(seconds: 6)
        #expect(bench.host(known: identity).isEmpty)
        #expect(bench.handler.inventory.map(\.identity) == [0])
        bench.restart()
        #expect(bench.host(known: identity).isEmpty)
        #expect(bench.handler.inventory.map(\.identity) == [identity])
        #expect(bench.search("title == \"lens\"", at: 1).identifiers == ["lamp"])
    }

    @Test("Nothing stands in for a replica that this process had open, whatever ASSIGN knew")
    func goneWhileOpen() throws {
        let bench = try WorkerBench()
        bench.host()
        _ = try bench.ingest(
            WorkerBench.part(1, after: 0, batch: 1, [WorkerBench.document("lamp")]))
        bench.storage.inject(.sync(reason: .inputOutput))
        try bench.storage.rename("/worker/indexes/shop/0", to: "/elsewhere")
        _ = try bench.ingest(
            WorkerBench.part(2, after: 1, batch: 2, [WorkerBench.document("late")]))
        bench.pass(seconds: 1)
        #expect(bench.handler.inventory.map(\.identity) == [0])
        #expect(try !bench.storage.isDirectory("/worker/indexes/shop/0"))
    }

    @Test("Another replica than the known one is not touched: the broker hears which one is there")
    func foreignReplica() throws {
        let bench = try WorkerBench()
        bench.host()
        _ = try bench.ingest(
            WorkerBench.part(1, after: 0, batch: 1, [WorkerBench.document("lamp")]))
        let identity = try #require(bench.handler.inventory.first?.identity)
        bench.restart()
        let before = try bench.files()
        #expect(bench.host(known: identity ^ 1).isEmpty)
        #expect(try bench.files() == before, "nothing is written, cut or removed")
        #expect(bench.handler.inventory.map(\.identity) == [identity])
        #expect(bench.handler.inventory.map(\.lastSequence) == [0], "nothing is said to be open")
        #expect(bench.table[WorkerBench.shard] == nil)
        let lines = bench.log.lines.filter { $0.contains("is not the one that the broker knows") }
        #expect(lines.count == 1 && lines.allSatisfy { $0.contains("/worker/indexes/shop/0") })
        bench.pass(seconds: 6)
        #expect(try bench.files() == before)
        // What a copy is to replace may be opened: records may be all that it lacks.
        bench.restart()
        #expect(bench.host(known: identity ^ 1, isInSync: false).isEmpty)
        #expect(bench.handler.inventory.map(\.lastSequence) == [1])
    }

    @Test(
        "A replica that somebody renamed as if it were to be removed is taken back",
        arguments: [false, true])
    func renamedReplica(replacesLost: Bool) throws {
        let bench = try WorkerBench(replacesLost: replacesLost)
        bench.host()
        _ = try bench.ingest(
            WorkerBench.part(1, after: 0, batch: 1, [WorkerBench.document("lamp")]))
        let identity = try #require(bench.handler.inventory.first?.identity)
        let place = "/worker/indexes/shop/0"
        try bench.storage.rename(place, to: place + ".dropped")
        bench.restart()
        bench.host(known: identity)
        #expect(bench.handler.inventory.map(\.identity) == [identity])
        #expect(bench.search("title == \"lens\"", at: 1).identifiers == ["lamp"])
    }

    @Test("Where the operator gives a lost replica up, an empty one is made")
    func replacing() throws {
        let bench = try WorkerBench(replacesLost: true)
        #expect(bench.host(known: 7).isEmpty)
        let inventory = try #require(bench.handler.inventory.first)
        #expect(inventory.identity != 0 && inventory.identity != 7 && inventory.replacesLost)
    }

    @Test("A stray file beside shards keeps nobody from saying which replica is missing")
    func strayFile() throws {
        let bench = try WorkerBench()
        bench.storage.place([1], at: "/worker/indexes/readme")
        bench.storage.place([1], at: "/worker/indexes/shop/7")
        #expect(bench.host(known: 7).isEmpty)
        #expect(bench.handler.inventory.map(\.identity) == [0])
    }

    @Test("A name without a checksum is believed also where the disk has no room to give it one")
    func fullAtUpgrade() throws {
        let storage = MemoryStorage()
        let directory = try WorkerDirectory("/worker", storage: storage)
        storage.place(Array("east".utf8), at: "/worker/worker-name")
        storage.setCapacity(4)
        #expect(try directory.name(wanted: nil, chance: SeededRandom(seed: 1)).name == "east")
        #expect(try storage.read("/worker/worker-name") == Array("east".utf8))
    }

    @Test("A directory with indexes gets no new name: their shards are placed under the old one")
    func nameMissing() throws {
        let storage = MemoryStorage()
        let directory = try WorkerDirectory("/worker", storage: storage)
        let chance = SeededRandom(seed: 1)
        storage.makeDirectory("/worker/indexes/default")
        let error = #expect(throws: WorkerError.self) {
            try directory.name(wanted: nil, chance: chance)
        }
        #expect(error?.description.contains("/worker holds indexes and no worker-name") == true)
        #expect(storage.size(of: "/worker/worker-name") == nil, "nothing is written")
        #expect(try directory.name(wanted: "east", chance: chance).name == "east")
        #expect(try directory.name(wanted: nil, chance: chance).name == "east")
    }
}
