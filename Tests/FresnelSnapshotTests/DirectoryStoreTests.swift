import FresnelKernels
import FresnelModel
import FresnelSnapshot
import FresnelSystem
import Testing

@Suite("Stores and the snapshots in them")
struct DirectoryStoreTests {
    private let storage = MemoryStorage()

    @Test("An object is put once, read in pieces, listed, and removed")
    func verbs() throws {
        let store = try SnapshotSamples.store(storage)
        #expect(try store.put("snapshots/a", SharedBytes([1, 2, 3])))
        #expect(try !store.put("snapshots/a", SharedBytes([9])))
        #expect(try store.size(of: "snapshots/a") == 3)
        #expect(try store.size(of: "snapshots/b") == nil)
        #expect(try store.read("snapshots/a", from: 1, count: 9) == [2, 3])
        #expect(try store.read("snapshots/a", from: 3, count: 1).isEmpty)
        #expect(throws: SnapshotError.missing(object: "snapshots/b", store: "/store")) {
            try store.read("snapshots/b", from: 0, count: 1)
        }
        #expect(try store.list("snapshots/") == [ListedObject(name: "snapshots/a", bytes: 3)])
        #expect(try store.list("segments/").isEmpty)
        try store.remove("snapshots/a")
        try store.remove("snapshots/a")
        #expect(try store.list("snapshots/").isEmpty)
    }

    @Test("A store knows itself from another one, and a place without its file is none")
    func marks() throws {
        let store = try SnapshotSamples.store(storage, isMade: false)
        #expect(throws: SnapshotError.notAStore("/store")) {
            try StoreMark.require(Hash128(high: 1, low: 1), in: store)
        }
        let mark = try StoreMark.establish(in: store, chance: SeededRandom(seed: 7))
        #expect(try StoreMark.establish(in: store, chance: SeededRandom(seed: 8)) == mark)
        try StoreMark.require(mark.identity, in: store)
        #expect(throws: SnapshotError.otherStore("/store")) {
            try StoreMark.require(Hash128(high: 1, low: 1), in: store)
        }
    }

    @Test("Nothing is put beside a missing mark, nor is a folder made above a new store")
    func notMounted() throws {
        let store = try SnapshotSamples.store(storage, isMade: false)
        #expect(throws: SnapshotError.notAStore("/store")) {
            try store.put("segments/a.seg", SharedBytes([1]))
        }
        #expect(try !storage.isDirectory("/store"))
        let deeper = DirectoryStore(
            "/media/disk/store", try StoreLocation("/media/disk/store"), storage: storage,
            chance: SeededRandom(seed: 1))
        #expect(throws: SnapshotError.missingFolder("/media/disk")) {
            try StoreMark.establish(in: deeper, chance: SeededRandom(seed: 7))
        }
        #expect(try !storage.isDirectory("/media"))
        // A volume that goes while a snapshot is made.
        _ = try StoreMark.establish(in: store, chance: SeededRandom(seed: 7))
        #expect(try store.put("segments/a.seg", SharedBytes([1])))
        try storage.remove("/store/fresnel-store")
        #expect(throws: SnapshotError.notAStore("/store")) {
            try store.put("segments/b.seg", SharedBytes([1]))
        }
    }

    @Test("A reused object is compared with its name, and replaced where it is damaged")
    func reused() throws {
        let manifest = try make("monday", files: 3)
        let store = try SnapshotSamples.store(storage)
        let files = try SnapshotSamples.snapshot("monday", files: 3).files
        let (object, bytes) = files[1]
        var changed = bytes
        changed[7] ^= 4
        storage.place(changed, at: "/store/" + object.name)
        let shared = SharedBytes(bytes)
        #expect(try store.put(object, shared, comparing: false) == .reused)
        #expect(try SnapshotLibrary(store).verify(manifest).count == 1)
        let outcome = try store.put(object, shared, comparing: true)
        guard case .replaced(let damage) = outcome, damage.contains("another hash") else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try SnapshotLibrary(store).verify(manifest).isEmpty)
        #expect(try store.put(object, shared, comparing: true) == .reused)
        // Of another size it is damaged, whoever looks.
        storage.place([1, 2], at: "/store/" + object.name)
        guard case .replaced = try store.put(object, shared, comparing: false) else {
            Issue.record("an object that was cut is reused")
            return
        }
    }

    private func make(_ name: String, files: Int, from first: Int = 0) throws -> SnapshotManifest {
        let store = try SnapshotSamples.store(storage)
        let (manifest, files) = try SnapshotSamples.snapshot(name, files: files, from: first)
        for (object, bytes) in files {
            _ = try store.put(object, SharedBytes(bytes), comparing: true)
        }
        try SnapshotLibrary(store).commit(manifest)
        return manifest
    }

    @Test("A missing, a cut and a changed object are each found out by name")
    func verify() throws {
        let manifest = try make("monday", files: 5)
        let store = try SnapshotSamples.store(storage)
        let library = SnapshotLibrary(store)
        #expect(try library.verify(manifest).isEmpty)
        let names = manifest.objects.map(\.name)
        try store.remove(names[1])
        storage.place([1, 2], at: "/store/" + names[2])
        var bytes = try store.read(names[3], from: 0, count: 1000)
        bytes[7] ^= 4
        storage.place(bytes, at: "/store/" + names[3])
        storage.place(
            try store.read(names[4], from: 0, count: 1000) + [0], at: "/store/" + names[4])
        let problems = try library.verify(manifest)
        #expect(problems.count == 4)
        for (problem, name) in zip(problems, names[1...4]) {
            #expect(problem.description.contains(name))
        }
    }

    @Test("An object that cannot be read keeps no other one from being looked at")
    func unreadable() throws {
        let manifest = try make("monday", files: 5)
        let store = try SnapshotSamples.store(storage)
        let names = manifest.objects.map(\.name)
        try store.remove(names[3])
        let refusing = RefusingStore(store, names: [names[0], names[2]])
        var told: [String] = []
        let problems = try SnapshotLibrary(refusing).verify(manifest) {
            told.append($0.description)
        }
        #expect(problems.map(\.description) == told)
        #expect(problems.count == 3)
        for (problem, name) in zip(problems, [names[0], names[2], names[3]]) {
            #expect(problem.description.contains(name))
        }
        // A store that is gone altogether ends it, with what was found so far.
        let gone = RefusingStore(store, names: [names[1], StoreMark.objectName])
        #expect(throws: RefusingStore.refusal) {
            try SnapshotLibrary(gone).verify(manifest) { told.append($0.description) }
        }
        #expect(told.count == 3)
    }

    @Test("Names are taken once, unknown ones named with those there are, bad ones refused")
    func names() throws {
        let manifest = try make("monday", files: 1)
        let library = SnapshotLibrary(try SnapshotSamples.store(storage))
        #expect(throws: SnapshotError.nameTaken("monday", store: "/store")) {
            try library.commit(manifest)
        }
        #expect(
            throws: SnapshotError.unknownSnapshot("tuesday", store: "/store", known: ["monday"])
        ) { try library.manifest(of: "tuesday") }
        #expect(throws: SnapshotError.invalidName("../x")) { try library.requireFree("../x") }
        #expect(try library.names() == ["monday"])
    }

    @Test("Pruning removes what no snapshot names, and nothing while a manifest is damaged")
    func prune() throws {
        let first = try make("monday", files: 4)
        let second = try make("tuesday", files: 4, from: 2)
        let store = try SnapshotSamples.store(storage)
        let library = SnapshotLibrary(store)
        #expect(try library.prune().isEmpty)
        try library.delete("monday")
        let removed = try library.prune()
        let expected = Set(first.objects.map(\.name)).subtracting(second.objects.map(\.name))
        #expect(Set(removed.map(\.name)) == expected)
        #expect(try library.verify(second).isEmpty)
        storage.place([1, 2, 3], at: "/store/snapshots/tuesday")
        #expect(throws: SnapshotError.self) { try library.prune() }
        #expect(try library.absent(of: second).isEmpty)
    }

    @Test("What is damaged is not missing, and the way out is that of the file")
    func damagedText() throws {
        let manifest = try make("monday", files: 4)
        let library = SnapshotLibrary(try SnapshotSamples.store(storage))
        let (gone, cut) = (manifest.objects[0].name, manifest.objects[1].name)
        try storage.remove("/store/\(gone)")
        storage.place([1], at: "/store/\(cut)")
        let unsound = try library.unsound(of: manifest)
        #expect(unsound.missing == [gone] && unsound.damaged == [cut])
        let ways = [
            (StoreMark.objectName, "create --new-store"),
            ("snapshots/monday", "`fresnel snapshot delete monday`"),
            (cut, "puts it there again"),
        ]
        for (object, way) in ways {
            let error = SnapshotError.damaged(object: object, store: "/store", reason: "cut")
            #expect("\(error)".contains(way), "\(error)")
            #expect("\(error)".contains("puts it there again") == (object == cut))
        }
    }

    @Test("A snapshot whose files went while it was made is none")
    func removedMeanwhile() throws {
        let store = try SnapshotSamples.store(storage)
        let (manifest, files) = try SnapshotSamples.snapshot("monday", files: 2)
        for (object, bytes) in files.dropLast() {
            _ = try store.put(object, SharedBytes(bytes), comparing: true)
        }
        let library = SnapshotLibrary(store)
        #expect(throws: SnapshotError.removedMeanwhile([files[2].object.name], store: "/store")) {
            try library.commit(manifest)
        }
        #expect(try library.names().isEmpty)
    }

    @Test("A full disk is told as that, and what was there stays")
    func fullDisk() throws {
        let manifest = try make("monday", files: 3)
        storage.setCapacity(1200)
        let error = #expect(throws: SnapshotError.self) { try make("tuesday", files: 9, from: 50) }
        #expect(error?.isDiskFull == true, "\(error.map(\.description) ?? "")")
        storage.setCapacity(nil)
        let library = SnapshotLibrary(try SnapshotSamples.store(storage))
        #expect(try library.verify(manifest).isEmpty)
        #expect(try library.names() == ["monday"])
        _ = try make("tuesday", files: 9, from: 50)
    }

    @Test(
        "Whatever call a process dies at, and the power with it: a snapshot is whole or not there")
    func deaths() throws {
        for seed in 0..<UInt64(400) {
            let storage = MemoryStorage()
            let old = try SnapshotSamples.snapshot("monday", files: 2)
            let new = try SnapshotSamples.snapshot("tuesday", files: 3, from: 1)
            try Self.create(old, in: try SnapshotSamples.store(storage, seed: seed))
            let dying = DyingStore(
                try SnapshotSamples.store(storage, seed: seed &+ 1), after: Int(seed % 20))
            let isDone = (try? Self.create(new, in: dying)) != nil
            storage.crash(seed: seed)
            let store = try SnapshotSamples.store(storage, seed: seed &+ 2)
            let library = SnapshotLibrary(store)
            let names = try library.names()
            #expect(names.contains("monday"), "seed \(seed)")
            #expect(!isDone || names.contains("tuesday"), "seed \(seed)")
            for name in names {
                let manifest = try library.manifest(of: name)
                #expect(try library.verify(manifest).isEmpty, "seed \(seed), \(name)")
            }
            // Made again, it is whole; and what was left goes.
            if !names.contains("tuesday") { try Self.create(new, in: store) }
            #expect(try library.verify(new.manifest).isEmpty, "seed \(seed)")
            #expect(try library.prune().isEmpty, "seed \(seed)")
        }
    }

    private static func create(
        _ snapshot: (manifest: SnapshotManifest, files: [(object: StoredObject, bytes: [UInt8])]),
        in store: some SnapshotStore
    ) throws(SnapshotError) {
        let library = SnapshotLibrary(store)
        try library.requireFree(snapshot.manifest.name)
        for (object, bytes) in snapshot.files {
            _ = try store.put(object, SharedBytes(bytes), comparing: true)
        }
        try library.commit(snapshot.manifest)
    }
}
