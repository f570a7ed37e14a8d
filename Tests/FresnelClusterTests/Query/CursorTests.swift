@testable import FresnelCluster
import FresnelKernels
import FresnelModel
import FresnelWire
import Testing

@Suite("Cursors")
struct CursorTests {
    private static let cursor = {
        var context = WireQueryContext()
        context.now = 1000
        context.timeZone = "UTC"
        context.firstWeekday = 1
        return Cursor(
            query: 0x0123_4567_89AB_CDEF, context: context,
            snapshots: [
                "items": .init(IndexIdentity(high: 0x1122_3344, low: 5), at: SequenceNumber(7)),
                "notes": .init(IndexIdentity(high: 6, low: .max), at: SequenceNumber(300)),
            ],
            behind: [ShardKey(index: "notes", shard: ShardID(5)): SequenceNumber(299)],
            key: [1, 2, 3])
    }()

    private static let golden: [UInt8] =
        [
            0x02,  // format
            0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01,  // query
            0x00, 0x00, 0x00, 0x00, 0x00, 0x40, 0x8F, 0x40,  // now
            0x01,  // Monday
            0x03, 0x55, 0x54, 0x43, 0x00,  // UTC, neutral
            0x02,  // two indexes
        ] + [5] + Array("items".utf8)
        + [0x44, 0x33, 0x22, 0x11, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]  // identity
        + [7, 0] + [5] + Array("notes".utf8)
        + [6, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8) + [0xAC, 0x02]
        + [1, 5, 0xAB, 0x02]  // shard 5 at 299
        + [3, 1, 2, 3]  // key

    @Test("Q-30: A cursor is written as documented, and read back")
    func golden() throws {
        let bytes = Self.cursor.bytes
        #expect(Array(bytes.dropLast(8)) == Self.golden)
        #expect(Array(bytes.suffix(8)) == [0xF4, 0x29, 0xC7, 0x6D, 0x79, 0x09, 0x2A, 0x28])
        #expect(try Cursor(bytes) == Self.cursor)
        #expect(try SearchCursor(SearchCursor(bytes: bytes).description).bytes == bytes)
    }

    @Test("Q-31: No cut and no changed byte goes unnoticed, and none is a crash")
    func damage() {
        let bytes = Self.cursor.bytes
        for count in 0..<bytes.count {
            #expect(throws: CursorRefusal.self) { try Cursor(Array(bytes.prefix(count))) }
        }
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] ^= 0x10
            #expect(throws: CursorRefusal.self) { try Cursor(damaged) }
        }
        let long = [UInt8](repeating: 1, count: Limits.cursorBytes + 1)
        #expect(throws: CursorRefusal.self) { try Cursor(long) }
    }

    @Test("A text that is no cursor is refused", arguments: ["", "a", "ab=", "a b", "é", "AB"])
    func texts(text: String) {
        #expect(throws: SearchError.self) { try SearchCursor(text) }
    }

    @Test("The longest cursor without long sort values has at most 4 KiB of text")
    func length() throws {
        var cursor = Self.cursor
        cursor.snapshots = [:]
        for number in 0..<16 {
            let name = String(repeating: "n", count: Limits.indexNameBytes - 2) + "\(number + 10)"
            cursor.snapshots[name] = .init(
                IndexIdentity(high: .max, low: .max), at: SequenceNumber(.max))
        }
        // Eight numbers, an identifier and an index name.
        cursor.key = [UInt8](
            repeating: 7,
            count: 8 * 9 + Limits.identifierBytes + 3 + Limits.indexNameBytes + 3)
        #expect(SearchCursor(bytes: cursor.bytes).description.utf8.count <= 4096)
    }

    /// What is refused, with which code.
    private func refusal(
        _ asked: WireSearch, snapshot: UInt64 = 7, _ change: (inout Cursor) -> Void = { _ in }
    ) throws -> Int32? {
        var shards = part(of: "a", shards: [0])
        let plan = try QueryPlan(
            search(), shards: shards, schema: AttributeSchema(), at: moment())
        var cursor = plan.cursor(at: [1, 2])
        change(&cursor)
        var asked = asked
        if asked.afterBytes.isEmpty { asked.afterBytes = cursor.bytes }
        shards[0].snapshot = SequenceNumber(snapshot)
        do throws(PlanRefusal) {
            let next = try QueryPlan(
                asked, shards: shards, schema: AttributeSchema(), at: moment(50))
            #expect(next.page?.key == [1, 2])
            #expect(next.search.context.now == plan.search.context.now)
            #expect(next.parts[0].targets[0].snapshot == SequenceNumber(7))
            #expect(next.search.afterBytes.isEmpty)
            return nil
        } catch {
            return WireFailure(error).code
        }
    }

    @Test("Q-32: A cursor goes on with its own query, spelled otherwise, at its own snapshot")
    func sameQuery() throws {
        #expect(try refusal(search()) == nil)
        #expect(try refusal(search("rating>=1", limit: 3, credit: 9)) == nil)
        #expect(try refusal(search(), snapshot: 900) == nil)
        var backwards = search()
        backwards.backwards = true
        #expect(try refusal(backwards) == nil)
    }

    @Test("Q-32: Another query, order, filter, index or instant is refused with 415")
    func otherQuery() throws {
        #expect(try refusal(search("rating >= 2")) == 415)
        var other = search()
        other.sort[0].descending = true
        #expect(try refusal(other) == 415)
        other = search()
        other.filters = ["rating < 9"]
        #expect(try refusal(other) == 415)
        other = search()
        other.context.now = 77
        #expect(try refusal(other) == 415)
        other.context.now = 0
        #expect(try refusal(other) == 415, "2001 is an instant like others")
        other = search()
        other.context.timeZone = "Europe/Berlin"
        #expect(try refusal(other) == 415)
        #expect(try refusal(search()) { $0.snapshots["other"] = $0.snapshots["items"] } == 415)
    }

    @Test("Q-38: A cursor of another index of that name, or of none that is told, is refused")
    func otherIndex() throws {
        let anew = try refusal(search()) {
            $0.snapshots["items"]?.identity = IndexIdentity(high: 1, low: 2)
        }
        #expect(anew == 415)
        // Whatever it reads: in the other index there may be no such number.
        let beyond = try refusal(search(), snapshot: 1) {
            $0.snapshots["items"]?.identity = IndexIdentity(high: 1, low: 2)
        }
        #expect(beyond == 415)
        #expect("\(CursorRefusal.remade(index: "items"))".contains("ask again without it"))
        var older = Array(Self.cursor.bytes.dropLast(8))
        older[0] = 1
        let checksum = Hash.checksum(of: older)
        older += (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
        #expect(throws: CursorRefusal.older) { try Cursor(older) }
        #expect(CursorRefusal.older.code == .cursorMismatch)
    }

    @Test("While a cluster starts a cursor is not damaged: shards are missing, or it is too early")
    func starting() throws {
        var asked = search()
        let whole = part(of: "a", shards: [0, 1])
        asked.afterBytes =
            try QueryPlan(asked, shards: whole, schema: AttributeSchema(), at: moment())
            .cursor(at: [1, 2]).bytes
        func plan(_ shards: [SearchableShard]) throws(PlanRefusal) -> QueryPlan {
            try QueryPlan(asked, shards: shards, schema: AttributeSchema(), at: moment(1))
        }
        var shards = whole
        shards[1].worker = nil
        shards[1].snapshot = .zero
        let partial = try plan(shards)
        #expect(partial.parts.flatMap(\.targets).map(\.shard.number) == [0])
        shards[0].snapshot = SequenceNumber(3)
        do throws(PlanRefusal) {
            _ = try plan(shards)
            Issue.record("shard 0 is read before it is there")
        } catch {
            #expect(WireFailure(error).code == ErrorCode.shardUnavailable.number)
            #expect(error.description.contains("ask again in a moment"))
        }
    }

    @Test("Q-31: What is no cursor, or reads what is not there yet, is refused with 410")
    func invalid() throws {
        var damaged = search()
        damaged.afterBytes = [1, 2, 3]
        #expect(try refusal(damaged) == 410)
        #expect(try refusal(search(), snapshot: 6) == 410)
        #expect(try refusal(search(delivery: .found)) == 410)
        #expect(try refusal(search()) { $0.firstWeekday = 9 } == 410)
        #expect(try refusal(search()) { $0.now = .infinity } == 410)
    }
}
