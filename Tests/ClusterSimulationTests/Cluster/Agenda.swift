@testable import FresnelCluster
import FresnelModel
import FresnelWire

/// Names one simulated process.
enum ProcessName: Hashable, CustomStringConvertible {
    case broker
    case worker(Int)
    case client(Int)

    var description: String {
        switch self {
        case .broker: "broker"
        case .worker(let number): "worker\(number)"
        case .client(let number): "client\(number)"
        }
    }
}

/// What can be due in a simulation.
///
/// `boot` fences what belongs to a process that crashed since.
enum Occurrence {
    /// A message reaches the end of its connection.
    case arrival(Message, connection: Int, toBroker: Bool)
    /// A new connection shows itself to the broker.
    case probe(connection: Int)
    /// A process tries to connect a lane.
    case connect(ProcessName, Lane, boot: Int)
    case tick(ProcessName, boot: Int)
    /// A worker's threads report to its core.
    case report(worker: Int, boot: Int, WorkerEvent)
    /// A worker's writing thread turns to its next part.
    case journal(worker: Int, boot: Int)
    /// The broker's state reaches the disk, or does not.
    case written(boot: Int, isDurable: Bool)
    /// A client reads again what waits at the broker.
    case drain(connection: Int)
    /// A crashed process comes back.
    case start(ProcessName)
    /// The operator does something about a worker that lost its disk.
    case mend(worker: Int)
    /// A worker's writing thread tells the broker something, behind what it told before.
    case told(worker: Int, boot: Int, Message)
    /// A worker has fetched a replica from another one.
    case copied(worker: Int, boot: Int, WireCatchUp)
    /// A worker has removed a replica, or is to.
    case dropped(worker: Int, boot: Int, WireDropReplica)
    /// The operator changes who hosts what.
    case membership(MembershipChange)
    /// A client makes, fills or removes an index, or moves an alias.
    case changeIndexes
    /// A client's application does something.
    case act(client: Int)
    case misfortune
    /// Somebody says HELLO under a worker's name.
    case namesake(worker: Int, hasDirectory: Bool, tries: Int)
    /// Somebody sets a wall clock.
    case clockJump
    /// A client has an index copied to a store, or made from one.
    case copyIndex
    /// A worker has copied a shard, as it was captured, or is to make one.
    case stored(worker: Int, boot: Int, WireStoreShard, StoredShard?)
    /// A disk does something.
    case diskFault
    /// A worker dies of a disk that failed.
    case wreck(worker: Int, boot: Int)
    /// The operator looks after the damaged replicas of a worker.
    case heal(worker: Int)
    /// The broker's state is lost, and the operator does something about it.
    case forget
    case remember
    case tidy
    /// From here on nothing bad happens and nothing new is asked.
    case calm
}

/// Everything that is due, by time; what is due at the same time comes in the order it was added.
struct Agenda {
    struct Entry {
        let at: Instant
        let order: UInt64
        let occurrence: Occurrence
    }

    private var heap: [Entry] = []
    private var count: UInt64 = 0

    mutating func add(_ occurrence: Occurrence, at instant: Instant) {
        count += 1
        heap.append(Entry(at: instant, order: count, occurrence: occurrence))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard precedes(child, parent) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func next() -> Entry? {
        guard let first = heap.first else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if precedes(child, least) { least = child }
            }
            guard least != parent else { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (heap[left].at, heap[left].order) < (heap[right].at, heap[right].order)
    }
}
