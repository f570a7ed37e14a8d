import FresnelKernels
import FresnelModel
import FresnelWire
import Testing

@Suite("What a batch moves, and what its shards say")
struct SupersedeTests {
    private func version(
        _ identifier: String, about related: String? = nil, position: UInt32, at sequence: UInt64
    ) -> BatchCoding.AcceptedVersion {
        var document = Document(uniqueIdentifier: identifier)
        document.attributes["relatedUniqueIdentifier"] = related.map { .string($0) }
        var operation = BatchOperation.index(document).routed
        operation.position = position
        return BatchCoding.AcceptedVersion(operation, at: SequenceNumber(sequence))
    }

    @Test("W-17: every shard but that of the new version is told, with the version's sequence")
    func everyOther() throws {
        let parts = BatchCoding.supersedes(
            [version("a", about: "b", position: 4, at: 9)], shardCount: 4)
        let home = RoutingKey.shard(of: Hash.routingHash(of: "b"), count: 4)
        #expect(parts.map(\.shard) == (0..<4).map { ShardID($0) }.filter { $0 != home })
        for part in parts {
            let operations = try part.operations.map {
                try BatchOperation($0, payload: part.payload)
            }
            #expect(operations == [.supersede("a", by: SequenceNumber(9))])
            #expect(part.operations.map(\.position) == [4])
        }
    }

    @Test("W-17: of several versions in a batch the last accepted one counts, told by its bytes")
    func lastCounts() {
        let accepted = [
            version("a", about: "b", position: 0, at: 7), version("é", position: 1, at: 7),
            version("e\u{301}", position: 2, at: 7), version("a", position: 3, at: 7),
        ]
        let parts = BatchCoding.supersedes(accepted, shardCount: 2)
        #expect(parts.flatMap(\.operations).map(\.position).sorted() == [1, 2, 3])
        #expect(BatchCoding.supersedes(accepted, shardCount: 1).isEmpty)
    }

    @Test("W-17: what the batch replaced itself is known by the last accepted version")
    func replaced() {
        let accepted = [
            version("a", about: "b", position: 0, at: 7), version("é", position: 1, at: 7),
            version("e\u{301}", position: 2, at: 7), version("a", about: "c", position: 3, at: 7),
            version("a", position: 5, at: 7),
        ]
        let replaced = BatchCoding.replacedVersions(of: accepted)
        #expect(replaced.mapValues { $0.map(\.position) } == [5: [0, 3]])
    }

    @Test("W-17: an earlier version of the batch goes, also where it was applied later")
    func appliedLater() throws {
        // The shard of the first version answered only when the batch was sent again.
        let related = try #require(
            ["b", "c", "d", "e"].first {
                RoutingKey.shard(of: Hash.routingHash(of: $0), count: 4)
                    != RoutingKey.shard(of: Hash.routingHash(of: "a"), count: 4)
            })
        let parts = BatchCoding.supersedes(
            [
                version("a", about: related, position: 0, at: 1000),
                version("a", position: 1, at: 9),
            ],
            shardCount: 4)
        let former = RoutingKey.shard(of: Hash.routingHash(of: related), count: 4)
        #expect(parts.count == 3)
        for part in parts {
            let expected = part.shard == former ? 1000 : 9
            #expect(part.operations.map(\.supersededBy) == [UInt64(expected)])
        }
    }

    private func operations(_ list: [BatchOperation]) -> [WireOperation] {
        list.enumerated().map { position, operation in
            var wire = operation.routed
            wire.position = UInt32(position)
            return wire
        }
    }

    private func refusal(_ position: UInt32, _ code: ErrorCode) -> WireItemResult {
        var result = WireItemResult()
        result.position = position
        result.code = code.number
        return result
    }

    @Test("An update that all shards got is refused only when none of them has the document")
    func updates() {
        let update = operations([.update(DocumentPatch(uniqueIdentifier: "a"))])
        let absent = [refusal(0, .unknownItem)]
        var verdicts = ItemVerdicts(update, holdsRelated: true)
        verdicts.settle(update, refusals: absent)
        #expect(verdicts.results.map(\.code) == [ErrorCode.unknownItem.number])
        verdicts.settle(update, refusals: [])
        verdicts.settle(update, refusals: absent)
        #expect(verdicts.results.isEmpty)
    }

    @Test("An update whose document may live in a shard that does not answer is not promised")
    func unanswered() {
        let update = operations([.update(DocumentPatch(uniqueIdentifier: "a"))])
        var failure = WireFailure()
        failure.code = ErrorCode.shardUnavailable.number
        var verdicts = ItemVerdicts(update, holdsRelated: true)
        verdicts.settle(update, refusals: [refusal(0, .unknownItem)])
        verdicts.fail(update, failure)
        #expect(verdicts.results.map(\.code) == [ErrorCode.shardUnavailable.number])
        verdicts.settle(update, refusals: [])
        #expect(verdicts.results.isEmpty)
    }

    @Test("An update that breaks a rule where its document lives is refused")
    func brokenUpdate() {
        let update = operations([.update(DocumentPatch(uniqueIdentifier: "a"))])
        var verdicts = ItemVerdicts(update, holdsRelated: true)
        verdicts.settle(update, refusals: [refusal(0, .unknownItem)])
        verdicts.settle(update, refusals: [refusal(0, .invalidItem)])
        #expect(verdicts.results.map(\.code) == [ErrorCode.invalidItem.number])
    }

    @Test("A routed operation's refusal counts at once, the first one")
    func routed() {
        let list = operations([
            .index(Document(uniqueIdentifier: "a")), .update(DocumentPatch(uniqueIdentifier: "b")),
        ])
        var verdicts = ItemVerdicts(list, holdsRelated: false)
        verdicts.settle([list[1]], refusals: [refusal(1, .unknownItem)])
        verdicts.settle([list[0]], refusals: [refusal(0, .invalidItem), refusal(0, .tooLarge)])
        #expect(
            verdicts.results.map(\.code)
                == [ErrorCode.invalidItem.number, ErrorCode.unknownItem.number])
        #expect(verdicts.isRefused(list[0]))
        verdicts.settle([list[0]], refusals: [refusal(7, .tooLarge)])
        #expect(verdicts.results.count == 2)
    }
}
