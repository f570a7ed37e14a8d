import FresnelCluster
import FresnelKernels
import FresnelModel
import FresnelSystem
import Logging
import Synchronization
import Testing

@testable import FresnelIndex
@testable import FresnelWorker

@Suite("Merges that fail")
struct MergeFailureTests {
    @Test("A damaged segment is told once, as damage, and keeps no others from being merged")
    func damage() throws {
        let bench = try WorkerBench()
        let index = try Self.fill(bench, [2, 2, 2, 2] + [Int](repeating: 5, count: 12))
        let damaged = try Self.damage(index, at: 1)
        var (errors, merges) = ([IndexError](), 0)
        for _ in 0..<20 {
            do throws(IndexError) {
                if try index.merge(expiredBy: nil, policy: Self.small) { merges += 1 }
            } catch {
                errors.append(error)
            }
        }
        #expect(merges == 1)
        #expect(index.snapshot.segments.map(\.segment.documentCount) == [2, 2, 2, 2, 60])
        #expect(errors.map { WorkerError.index($0).isDamage } == [true])
        #expect(errors.first?.description.contains(damaged.fileName) == true, "\(errors)")
        // The three that are whole merge with the next one.
        _ = try bench.ingest(Self.part(17, of: 2))
        #expect(try index.merge(expiredBy: nil, policy: Self.small))
        #expect(index.snapshot.segments.map(\.segment.documentCount) == [2, 60, 8])
        #expect(index.documentCount(at: bench.handler.now) == 70)
    }

    @Test("The merging thread tells of damage once and goes on with what else there is")
    func thread() throws {
        let bench = try WorkerBench()
        let index = try Self.fill(bench, [1, 1, 1, 1] + [Int](repeating: 100, count: 4))
        _ = try Self.damage(index, at: 2)
        let log = bench.log
        let reported = Mutex<[WorkerError]>([])
        let merging = MergeHandler(
            time: bench.time, logger: Logger(label: "merge") { _ in log.handler },
            reportDamage: { _, error in reported.withLock { $0.append(error) } })
        for number in 9...13 as ClosedRange<UInt64> {
            merging.receive(index)
            while merging.finishTurn() == .zero {}
            _ = try bench.ingest(Self.part(number, of: 1))
        }
        let errors = log.lines.filter { $0.hasPrefix("error") }
        #expect(errors.count == 1, "\(errors)")
        #expect(reported.withLock { $0.map(\.isDamage) } == [true])
        #expect(index.snapshot.segments.count <= 5)
        #expect(index.documentCount(at: bench.handler.now) == 409)
    }

    @Test("A replica in which a merge found damage is opened anew, and what its disk has is told")
    func reopening() throws {
        let bench = try WorkerBench()
        let index = try Self.fill(bench, [1, 1])
        bench.handler.receive(.damaged(index))
        let opened = try #require(bench.table[WorkerBench.shard])
        #expect(opened !== index)
        #expect(opened.documentCount(at: bench.handler.now) == 2)
        let whole = opened.snapshot.segments[0].segment.bytes
        let path = FilePath.join(
            bench.directory.segmentDirectory(of: WorkerBench.shard),
            SegmentName(of: whole.bytes).fileName)
        var bytes = try bench.storage.read(path)
        bytes[bytes.count / 2] ^= 1
        bench.storage.place(bytes, at: path)
        _ = bench.takeEvents()
        bench.handler.receive(.damaged(opened))
        let failures = bench.takeEvents().flatMap { event -> [HostingFailure] in
            if case .hosted(_, let failures) = event { failures } else { [] }
        }
        #expect(failures.map(\.isDamaged) == [true])
        #expect(failures.first?.reason.contains(path) == true)
        #expect(bench.table[WorkerBench.shard] == nil)
    }

    /// Two tiers of segments of a few documents.
    private static let small = {
        var policy = MergePolicy()
        policy.tinyDocuments = 4
        return policy
    }()

    /// A replica with a segment of so many documents for each part, in files.
    private static func fill(_ bench: WorkerBench, _ counts: [Int]) throws -> ReplicaIndex {
        bench.host()
        for (place, count) in counts.enumerated() {
            _ = try bench.ingest(part(UInt64(place + 1), of: count))
        }
        let index = try #require(bench.table[WorkerBench.shard])
        try index.seal()
        #expect(index.snapshot.segments.map(\.segment.documentCount) == counts)
        return index
    }

    private static func part(_ number: UInt64, of count: Int) -> WritePart {
        WorkerBench.part(
            number, after: number - 1, batch: number,
            (0..<count).map { WorkerBench.document("\(number)-\($0)") })
    }

    /// Flips a bit of a segment's stored documents, as a disk does while the file is mapped.
    ///
    /// - Returns: the name of the segment's file.
    private static func damage(_ index: ReplicaIndex, at place: Int) throws -> SegmentName {
        let current = index.snapshot
        let former = current.segments[place]
        let whole = former.segment.bytes
        let name = SegmentName(of: whole.bytes)
        let section = try #require(
            SectionTable(whole).entries.first { $0.section.kind == .store })
        var bytes = [UInt8](copying: whole.bytes)
        bytes[section.range.upperBound - 9] ^= 1
        let damaged = try Segment(SharedBytes(bytes), check: .footer)
        var segments = current.segments
        segments[place] = PublishedSegment(
            serial: former.serial,
            view: SegmentView(damaged, irregular: former.view.irregular, schema: current.schema),
            deletions: former.deletions)
        index.publish(segments, current.sequence, current.schema)
        return name
    }
}
