import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Merging")
struct QueryStreamMergeTests {
    @Test("Hits of all parts are released in one order, each as soon as nothing can precede it")
    func order() throws {
        var harness = try StreamHarness(search())
        harness.find(["b", "d", "f"], part: 0)
        #expect(try harness.delivered == [])
        harness.find(["a", "c"], part: 1)
        #expect(try harness.delivered == ["a", "b", "c"])
        harness.finish(part: 1, [report(2)])
        #expect(try harness.delivered == ["a", "b", "c", "d", "f"])
        harness.finish(part: 0, [report(0), report(1)])
        #expect(harness.completions.count == 1 && harness.completions[0].complete)
    }

    @Test("Unordered delivery passes hits on as they come, and has no digest")
    func unordered() throws {
        var harness = try StreamHarness(search(delivery: .found))
        harness.find(["b"], part: 0)
        #expect(try harness.delivered == ["b"])
        harness.find(["a"], part: 1)
        harness.finishAll()
        #expect(try harness.delivered == ["b", "a"])
        #expect(harness.completions.first?.digest == "")
    }

    @Test("With a limit the first hits are delivered, and workers are told once that it is enough")
    func limit() throws {
        var harness = try StreamHarness(search(limit: 3))
        harness.find(["b", "d", "f"], part: 0)
        harness.find(["a", "c", "e"], part: 1)
        #expect(try harness.delivered == ["a", "b", "c"])
        harness.find(["g"], part: 0, sequence: 1)
        for worker in ["a", "b"] {
            let enough = harness.commands(to: worker).filter { command in
                if case .credit(let credit) = command { credit.enough } else { false }
            }
            #expect(enough.count == 1)
        }
        #expect(harness.completions.isEmpty)
        harness.finish(part: 0, [report(0, found: 4), report(1, found: 1)])
        harness.finish(part: 1, [report(2, found: 3)])
        let done = try #require(harness.completions.first)
        #expect(done.complete && done.delivered == 3 && done.found == 8)
    }

    @Test("Without credit nothing is sent, and a grant sends exactly as much as it covers")
    func credit() throws {
        var harness = try StreamHarness(search(credit: 1))
        harness.find(["a"], part: 0)
        harness.find(["b"], part: 1)
        #expect(try harness.delivered == ["a"])
        harness.take(harness.stream.grant(items: 1, bytes: 1 << 24, at: at(1)))
        #expect(try harness.delivered == ["a"])
        harness.take(harness.stream.grant(items: 2, bytes: 1 << 24, at: at(2)))
        harness.find(["c"], part: 0, sequence: 1)
        harness.finish(part: 0, [report(0), report(1)])
        #expect(try harness.delivered == ["a", "b"])
        harness.finish(part: 1, [report(2)])
        #expect(harness.completions.isEmpty)
        harness.take(harness.stream.grant(items: 9, bytes: 1 << 24, at: at(3)))
        #expect(try harness.delivered == ["a", "b", "c"])
        #expect(harness.completions.count == 1)
    }

    @Test("Bytes are credit too")
    func byteCredit() throws {
        var narrow = search()
        narrow.creditBytes = UInt64(hitBatch(["a"]).count)
        var harness = try StreamHarness(narrow)
        harness.find(["a", "b"], part: 0)
        harness.find(["c"], part: 1)
        #expect(try harness.delivered == ["a"])
    }

    @Test("A worker is granted more when half its window was passed on and the client covers it")
    func refill() throws {
        var harness = try StreamHarness(search(delivery: .found, credit: 10))
        harness.find((0..<4).map { "\($0)" }, part: 0)
        #expect(harness.commands(to: "a").count == 1)
        harness.find((4..<6).map { "\($0)" }, part: 0, sequence: 1)
        // 4 of 10 are left, and no more than that is covered by the client.
        #expect(harness.commands(to: "a").count == 1)
        harness.take(harness.stream.grant(items: 20, bytes: 1 << 24, at: at(1)))
        guard case .credit(let grant)? = harness.commands(to: "a").last else {
            Issue.record("no grant when the client's covers more")
            return
        }
        #expect(grant.items == 20)
        // The same grant again changes nothing.
        let count = harness.toWorkers.count
        harness.take(harness.stream.grant(items: 20, bytes: 1 << 24, at: at(1)))
        #expect(harness.toWorkers.count == count)
    }

    @Test("Batches carry sequence numbers from 0 without gaps")
    func sequences() throws {
        var harness = try StreamHarness(search(delivery: .found))
        for sequence in 0..<5 { harness.find(["\(sequence)"], part: 0, sequence: UInt64(sequence)) }
        let found = harness.toClient.filter { $0.verb == .found }
        #expect(found.map(\.envelope.sequence) == [0, 1, 2, 3, 4])
    }

    @Test("The digest does not depend on how hits were batched or how many workers sent them")
    func digest() throws {
        let names = (0..<40).map { String(UnicodeScalar(UInt8(40 + $0))) }
        var digests: Set<String> = []
        for (workers, size) in [(1, 40), (1, 3), (2, 7), (4, 1), (4, 10)] {
            let shards = (0..<workers).flatMap { part(of: "w\($0)", shards: [UInt32($0)]) }
            var harness = try StreamHarness(search(), shards: shards)
            for worker in 0..<workers {
                let own = names.enumerated().filter { $0.offset % workers == worker }.map(\.element)
                for (sequence, first) in stride(from: 0, to: own.count, by: size).enumerated() {
                    let batch = Array(own[first..<min(first + size, own.count)])
                    harness.find(batch, part: worker, sequence: UInt64(sequence))
                }
                harness.finish(part: worker, [report(UInt32(worker))])
            }
            #expect(try harness.delivered == names)
            digests.insert(try #require(harness.completions.first).digest)
        }
        #expect(digests.count == 1)
    }
}
