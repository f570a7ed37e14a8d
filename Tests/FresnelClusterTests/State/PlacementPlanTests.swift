import FresnelModel
import TestChance
import Testing

@testable import FresnelCluster

@Suite("Plans of placement")
struct PlacementPlanTests {
    /// A cluster of chance, whose indexes were placed when they were made.
    struct Cluster {
        var workers: [PlacementView.Worker]
        var shards: [PlacementView.Shard]

        init(seed: UInt64) {
            var random = SplitMix64(seed: seed)
            let copies = UInt32(random.number(in: 1...3))
            let names = (0..<random.number(in: Int(copies)...9)).map { WorkerID("worker\($0)") }
            workers = names.map { PlacementView.Worker($0) }
            shards = []
            for number in 0..<random.number(in: 1...4) {
                let size = UInt64(random.number(in: 0...2_000_000_000))
                let index = "index\(number)"
                let count = UInt32(random.number(in: 1...40))
                let placed = Placement.place(
                    index: index, shardCount: count, copies: copies, on: names)
                for (shard, holders) in placed.enumerated() {
                    // Hashing gives shards of one index about the same size.
                    let percent = UInt64(random.number(in: 90...110))
                    shards.append(
                        PlacementView.Shard(
                            ShardKey(index: index, shard: ShardID(UInt32(shard))),
                            replicas: holders.map { Self.replica(on: $0) },
                            bytes: size / 100 * percent))
                }
            }
        }

        /// Shards of one size in one index, placed as they are made.
        static func even(_ count: Int, on names: [WorkerID]) -> Cluster {
            var cluster = Cluster(seed: 1)
            cluster.workers = names.map { PlacementView.Worker($0) }
            cluster.shards = Placement.place(index: "i", shardCount: UInt32(count), on: names)
                .enumerated().map { number, holders in
                    PlacementView.Shard(
                        ShardKey(index: "i", shard: ShardID(UInt32(number))),
                        replicas: holders.map { replica(on: $0) }, bytes: 1 << 30)
                }
            return cluster
        }

        static func replica(on worker: WorkerID) -> ReplicaState {
            ReplicaState(
                worker: worker, identity: ReplicaIdentity(1), isInSync: true, since: Epoch(1))
        }

        var view: PlacementView { PlacementView(workers: workers, shards: shards) }

        func plan(isBalancing: Bool = true) -> PlacementPlan {
            PlacementPlan(of: view, isBalancing: isBalancing)
        }

        /// Carries out a plan; what it says must be possible.
        mutating func apply(_ plan: PlacementPlan, _ seed: UInt64) {
            for move in plan.moves {
                guard let number = shards.firstIndex(where: { $0.key == move.shard }),
                    let place = shards[number].replicas.firstIndex(where: {
                        $0.worker == move.from
                    })
                else {
                    Issue.record("seed \(seed): \(move) moves what is not there")
                    continue
                }
                shards[number].replicas[place] = Self.replica(on: move.to)
                let holders = shards[number].replicas.map(\.worker)
                #expect(Set(holders).count == holders.count, "seed \(seed): \(move) \(holders)")
                let target = workers.first { $0.worker == move.to }
                #expect(target?.isAble == true, "seed \(seed): \(move)")
            }
        }

        /// Plans and carries out until nothing moves.
        mutating func settle(_ seed: UInt64) {
            for _ in 0..<8 where !plan().moves.isEmpty { apply(plan(), seed) }
            #expect(plan().moves.isEmpty, "seed \(seed): a plan without an end")
        }

        var totalWeight: UInt64 {
            shards.reduce(0) { $0 + $1.weight * UInt64($1.replicas.count) }
        }

        func weight(of move: ShardMove) -> UInt64 {
            shards.first { $0.key == move.shard }?.weight ?? 0
        }
    }

    private static let seeds = UInt64(1)...1000

    @Test("Nothing moves once a plan was carried out, and the same state gives the same plan")
    func settles() {
        for seed in Self.seeds {
            var cluster = Cluster(seed: seed)
            #expect(cluster.plan().moves == cluster.plan().moves, "seed \(seed)")
            var shuffled = cluster
            shuffled.workers.reverse()
            shuffled.shards.reverse()
            #expect(cluster.plan().moves == shuffled.plan().moves, "seed \(seed)")
            cluster.settle(seed)
        }
    }

    @Test("Shards of one size that were placed evenly stay where they are")
    func even() {
        for share in 1...12 {
            for size in 1...9 {
                let cluster = Cluster.even(share * size, on: (0..<size).map { WorkerID("w\($0)") })
                #expect(cluster.plan().moves.isEmpty, "\(share) shards on each of \(size)")
            }
        }
    }

    @Test("A worker that joins n others gets its share and moves a (n+1)th of the data, 2 % more")
    func joins() {
        var (others, grown) = (0, 0)
        for seed in Self.seeds {
            var cluster = Cluster(seed: seed)
            cluster.settle(seed)
            let joined = WorkerID("joined")
            cluster.workers.append(PlacementView.Worker(joined))
            let plan = cluster.plan()
            let moved = plan.moves.reduce(0) { $0 + cluster.weight(of: $1) }
            let total = cluster.totalWeight
            let share = total / UInt64(cluster.workers.count)
            // What cannot be cut goes or stays whole.
            let largest = cluster.shards.map(\.weight).max() ?? 0
            #expect(
                moved <= share + max(total / 50, largest / 2),
                "seed \(seed): \(moved) of \(total), a share is \(share)")
            if plan.moves.contains(where: { $0.to != joined }) { others += 1 }
            if !plan.moves.isEmpty { grown += 1 }
            cluster.apply(plan, seed)
            cluster.settle(seed)
        }
        #expect(grown > 500 && others * 50 < grown, "\(others) of \(grown)")
    }

    @Test(
        "A worker that joins equal ones, and shards of one size, gets its share and nobody else any"
    )
    func joinsEven() {
        for count in 1...9 {
            for share in 1...12 {
                let names = (0..<count).map { WorkerID("w\($0)") }
                var cluster = Cluster.even(share * count, on: names)
                cluster.workers.append(PlacementView.Worker(WorkerID("joined")))
                let plan = cluster.plan()
                #expect(plan.moves.allSatisfy { $0.to == WorkerID("joined") })
                let number = plan.moves.count
                let (least, most) = (
                    share * count / (count + 1), (share * count + count) / (count + 1)
                )
                #expect((least...most).contains(number), "\(share) each on \(count): \(number)")
            }
        }
    }

    @Test("Draining a worker leaves nothing on it and as many copies as before")
    func drains() {
        for seed in Self.seeds {
            var cluster = Cluster(seed: seed)
            var random = SplitMix64(seed: ~seed)
            let copies = cluster.shards.map(\.replicas.count).max() ?? 1
            guard cluster.workers.count > copies else { continue }
            let drained = random.below(cluster.workers.count)
            cluster.workers[drained].isDrained = true
            // Also one that is gone for good, where others have what it had.
            cluster.workers[drained].isLive = copies == 1 || random.chance(50)
            let before = cluster.shards.map(\.replicas.count)
            // A shard moves one replica at a time, and a plan has an end.
            for _ in 0..<8 { cluster.apply(cluster.plan(isBalancing: false), seed) }
            let name = cluster.workers[drained].worker
            #expect(
                cluster.shards.allSatisfy { shard in
                    !shard.replicas.contains { $0.worker == name }
                }, "seed \(seed): something is left on \(name)")
            #expect(cluster.shards.map(\.replicas.count) == before, "seed \(seed)")
        }
    }

    @Test("A worker that is away, or drained, or has still to remove a replica, gets none")
    func unreachable() {
        for seed in Self.seeds.prefix(300) {
            var cluster = Cluster(seed: seed)
            var random = SplitMix64(seed: ~seed)
            for number in cluster.workers.indices {
                cluster.workers[number].isLive = random.chance(70)
                cluster.workers[number].isDrained = random.chance(20)
            }
            for number in cluster.shards.indices {
                cluster.shards[number].removing = Set(
                    cluster.workers.map(\.worker).filter { _ in random.chance(30) })
            }
            for move in cluster.plan().moves {
                let target = cluster.workers.first { $0.worker == move.to }
                #expect(target?.isAble == true, "seed \(seed): \(move)")
                let shard = cluster.shards.first { $0.key == move.shard }
                #expect(shard?.removing.contains(move.to) == false, "seed \(seed): \(move)")
            }
        }
    }

    @Test("What only a lost worker has stays, and the plan says why")
    func lost() {
        let (a, b) = (WorkerID("a"), WorkerID("b"))
        let key = ShardKey(index: "i", shard: ShardID(0))
        let view = PlacementView(
            workers: [.init(a, isLive: false, isDrained: true), .init(b)],
            shards: [.init(key, replicas: [Cluster.replica(on: a)])])
        let plan = PlacementPlan(of: view, isBalancing: true)
        #expect(plan.moves.isEmpty)
        #expect(plan.obstacles.map(\.shard) == [key])
        #expect(plan.obstacles.first?.reason.contains("bring that one back") == true)
    }

    @Test("A shard of which a replica moves is left alone, and counts where it goes")
    func moving() {
        let (a, b) = (WorkerID("a"), WorkerID("b"))
        let shards = (0..<4).map { number in
            var old = Cluster.replica(on: a)
            old.successor = number < 2 ? b : nil
            var new = Cluster.replica(on: b)
            new.isInSync = false
            return PlacementView.Shard(
                ShardKey(index: "i", shard: ShardID(UInt32(number))),
                replicas: number < 2 ? [old, new] : [old], bytes: 1 << 20)
        }
        let view = PlacementView(workers: [.init(a), .init(b)], shards: shards)
        let plan = PlacementPlan(of: view, isBalancing: true)
        #expect(plan.moves.isEmpty && plan.workers.map(\.replicasBefore) == [2, 2])
    }
}
