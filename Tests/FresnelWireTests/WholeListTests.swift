import FresnelModel
import Testing

@testable import FresnelWire

@Suite("Lists of all shards")
struct WholeListTests {
    /// The longest names and numbers, of every replica that a cluster may have.
    private var inventories: [WireShardInventory] {
        (0..<Limits.clusterReplicas).map { number in
            Samples.made(WireShardInventory()) {
                $0.index = Largest.name
                $0.shard = UInt32(number)
                $0.epoch = .max
                $0.lastSequence = .max
                $0.documents = .max
                $0.holdsRelated = true
                $0.identity = .max
                $0.replacesLost = true
                $0.acceptsLoss = true
                $0.oldestReadable = .max
                $0.storedBytes = .max
                $0.droppedUntil = 800_000_000
            }
        }
    }

    private func isWhole(_ command: Command) throws -> Bool {
        let frames = Message(Samples.envelope, command).frames()
        return try Message(frames: frames).command == command
    }

    @Test("L-2: A worker that holds every replica of the largest cluster leaves out none")
    func inventory() throws {
        let pulse = Samples.made(WirePulse()) { $0.shards = inventories }
        #expect(try isWhole(.pong(pulse)))
        let hosted = Samples.made(WireHosted()) { $0.shards = inventories }
        #expect(try isWhole(.hosted(hosted)))
        let hello = Samples.made(Samples.hello) { $0.shards = inventories }
        #expect(try isWhole(.hello(hello)))
    }

    @Test(
        "L-2: It is told all that it is to hold, in few large indexes or many small ones",
        arguments: [1, 2, 128, Limits.shardsPerIndex])
    func assignments(shards: Int) throws {
        let indexes = min(Limits.indexes, Limits.clusterReplicas / max(1, shards))
        let assign = Samples.made(WireAssign()) {
            $0.indexes = (0..<indexes).map { _ in
                Samples.made(WireIndexAssignment()) {
                    $0.index = Largest.name
                    $0.shardCount = UInt32(shards)
                    $0.shards = (0..<UInt32(shards)).map { $0 }
                    $0.epochs = [UInt32](repeating: .max, count: shards)
                    $0.identities = [UInt64](repeating: .max, count: shards)
                    $0.inSync = [Bool](repeating: true, count: shards)
                    $0.epoch = .max
                    $0.defaultExpirationSeconds = 60
                    $0.indexIdentityHigh = .max
                    $0.indexIdentityLow = .max
                }
            }
        }
        #expect(try isWhole(.assign(assign)))
    }
}
