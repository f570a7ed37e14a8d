import FresnelModel
import FresnelWire
import Testing

@Suite("Names that peers send")
struct PeerNameTests {
    /// What brokers and workers tell each other; of clients' requests the broker says itself what
    /// is wrong.
    private static let betweenServers = Verb.allCases.filter { verb in
        verb.rules.routes.contains { route in
            switch route {
            case .brokerToWorker, .workerToBroker, .workerToWorker: true
            case .clientToBroker, .brokerToClient: false
            }
        }
    }

    @Test(
        "F-15: no message between broker and workers names an index that is none",
        arguments: betweenServers, ["../evil", "a/../..", "DEFAULT", "\0efault", ".efault"])
    func index(verb: Verb, name: String) throws {
        var frames = Samples.message(of: verb).frames()
        guard verb.rules.control != nil, let changed = frames[1].replacing("default", with: name)
        else { return }
        frames[1] = changed
        #expect(throws: WireError.invalidName(verb, field: "index")) {
            try Message(frames: frames)
        }
    }

    @Test("F-15: what ASSIGN says of shards has a place for each of them, and no other")
    func shards() throws {
        var index = WireIndexAssignment()
        index.index = "shop"
        index.shardCount = 2
        index.shards = [0, 1]
        index.epochs = [1, 1]
        index.identities = [7, 8]
        index.inSync = [true, true]
        func decode(_ change: (inout WireIndexAssignment) -> Void) throws {
            var assign = WireAssign()
            var changed = index
            change(&changed)
            assign.indexes = [changed]
            _ = try Message(frames: Message(Envelope(), .assign(assign)).frames())
        }
        try decode { _ in }
        try decode {
            $0.epochs = []
            $0.identities = []
            $0.inSync = []
        }
        let faults: [(String, (inout WireIndexAssignment) -> Void)] = [
            ("shards", { $0.shards = [0, 2] }), ("shards", { $0.shards = [0, .max] }),
            ("shards", { $0.shardCount = 0 }), ("shards", { $0.shardCount = 1025 }),
            ("epochs", { $0.epochs = [1] }), ("identities", { $0.identities = [7, 8, 9] }),
            ("in_sync", { $0.inSync = [true] }),
        ]
        for (field, change) in faults {
            #expect(throws: WireError.invalidName(.assign, field: field)) { try decode(change) }
        }
    }

    @Test(
        "F-15: a file of a replica is named by digits and an ending, or not at all",
        arguments: [
            ("", true), ("00ff.seg", true), ("0123456789abcdef0123456789abcdef", true),
            ("../MANIFEST", false), ("a/b", false), (".", false), (".seg", false), ("a\0", false),
            (String(repeating: "a", count: 65), false),
        ])
    func file(name: String, isOne: Bool) throws {
        var fetch = WireFetchReplica()
        fetch.file = name
        var chunk = WireReplicaChunk()
        chunk.file = name
        for command in [Command.fetchReplica(fetch), .replicaChunk(chunk)] {
            let frames = Message(Envelope(), command).frames()
            if isOne {
                #expect(try Message(frames: frames).command == command)
            } else {
                #expect(throws: WireError.invalidName(command.verb, field: "file")) {
                    try Message(frames: frames)
                }
            }
        }
    }
}

extension [UInt8] {
    /// The bytes with one text in place of each occurrence of another of the same length; nil where
    /// there is none.
    fileprivate func replacing(_ text: String, with other: String) -> [UInt8]? {
        let (old, new) = (Array(text.utf8), Array(other.utf8))
        precondition(old.count == new.count, "\(text) and \(other) differ in length")
        var bytes = self
        var isFound = false
        for start in indices.dropLast(old.count - 1)
        where bytes[start..<start + old.count].elementsEqual(old) {
            bytes.replaceSubrange(start..<start + old.count, with: new)
            isFound = true
        }
        return isFound ? bytes : nil
    }
}
