import FresnelKernels
package import FresnelModel
package import FresnelWire

// A cursor is a place in an answer that holds still: which versions are read (one sequence number
// an index, and the instant that decides what has expired), which question is asked (a digest, so
// that another one is refused) of which indexes (their identities, so that others of the same names
// are refused), and the sort key of a hit, which ends with identifier and index and so names one
// place. Nothing is kept for it anywhere: any broker and any replica can go on from
// it. It is no secret and no permission; a forged one selects another place of an answer that its
// maker may ask for anyway. The checksum finds damage.

/// A place in the answer to one query, at one state of its indexes.
package struct Cursor: Hashable, Sendable {
    /// The digest of what was asked (`QueryDigest`).
    package var query: UInt64
    /// When the documents must not have expired, and how dates and letters are read.
    package var now: Double
    package var timeZone: String
    package var firstWeekday: UInt8
    package var language: String
    /// The sequence number that each index is read at, and which index of that name it is.
    package var snapshots: [String: Snapshot]
    /// Shards that are read at a smaller one, since a part was on its way to them.
    package var behind: [ShardKey: SequenceNumber]
    /// The sort key of the hit beside the place.
    package var key: [UInt8]

    /// What is read of one index.
    package struct Snapshot: Hashable, Sendable {
        package var identity: IndexIdentity
        package var sequence: SequenceNumber

        package init(_ identity: IndexIdentity, at sequence: SequenceNumber) {
            self.identity = identity
            self.sequence = sequence
        }
    }

    /// The first byte of every cursor.
    static let format: UInt8 = 2

    /// Makes a cursor of a stamped query.
    package init(
        query: UInt64, context: WireQueryContext, snapshots: [String: Snapshot],
        behind: [ShardKey: SequenceNumber] = [:], key: [UInt8]
    ) {
        self.query = query
        now = context.now
        timeZone = context.timeZone
        firstWeekday = UInt8(clamping: context.firstWeekday)
        language = context.language
        self.snapshots = snapshots
        self.behind = behind
        self.key = key
    }

    /// The cursor as it travels.
    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: key.count + 128)
        writer.write(Self.format)
        writer.write(query)
        writer.write(now.bitPattern)
        writer.write(firstWeekday)
        for text in [timeZone, language] { writer.append(text) }
        writer.writeVarint(UInt64(snapshots.count))
        for (index, snapshot) in snapshots.sorted(by: { $0.key < $1.key }) {
            writer.append(index)
            writer.write(snapshot.identity.high)
            writer.write(snapshot.identity.low)
            writer.writeVarint(snapshot.sequence.value)
            let shards = behind.filter { $0.key.index == index }.sorted { $0.key < $1.key }
            writer.writeVarint(UInt64(shards.count))
            for (shard, sequence) in shards {
                writer.writeVarint(UInt64(shard.shard.number))
                writer.writeVarint(sequence.value)
            }
        }
        writer.writeVarint(UInt64(key.count))
        writer.writeRaw(key)
        writer.write(Hash.checksum(of: writer.bytes))
        return writer.bytes
    }

    /// Reads a cursor.
    ///
    /// - Throws: `CursorRefusal.damaged` for anything that `bytes` did not make, `.older` for what
    ///   it made before cursors told indexes apart.
    package init(_ bytes: [UInt8]) throws(CursorRefusal) {
        guard bytes.count <= Limits.cursorBytes else {
            throw .damaged("it has \(bytes.count) bytes, the limit is \(Limits.cursorBytes)")
        }
        guard let format = bytes.first, (1...Self.format).contains(format) else {
            throw .damaged("it is not a cursor")
        }
        var tail = ByteReader(Array(bytes.suffix(8)))
        let body = Array(bytes.dropLast(8))
        var isOlder = false
        do throws(KernelError) {
            let isWhole = try tail.readUInt64() == Hash.checksum(of: body)
            isOlder = isWhole && format < Self.format
            // What must not be read is nothing, which throws.
            var reader = ByteReader(isWhole && !isOlder ? Array(body.dropFirst()) : [])
            try self.init(from: &reader)
            try reader.requireEnd()
        } catch {
            throw isOlder ? .older : .damaged("it was cut or changed on its way")
        }
        guard now.isFinite else { throw .damaged("its instant is none") }
    }

    private init(from reader: inout ByteReader) throws(KernelError) {
        query = try reader.readUInt64()
        now = Double(bitPattern: try reader.readUInt64())
        firstWeekday = try reader.readUInt8()
        timeZone = try reader.readString(limit: Self.contextBytes)
        language = try reader.readString(limit: Self.contextBytes)
        (snapshots, behind) = ([:], [:])
        for _ in 0..<(try reader.readCount(limit: Limits.indexes, bytesEach: 19)) {
            let index = try reader.readString(limit: Limits.indexNameBytes)
            let identity = IndexIdentity(
                high: try reader.readUInt64(), low: try reader.readUInt64())
            snapshots[index] = Snapshot(
                identity, at: SequenceNumber(try reader.readVarint()))
            for _ in 0..<(try reader.readCount(limit: Limits.shardsPerIndex, bytesEach: 2)) {
                let shard = ShardKey(index: index, shard: ShardID(try reader.readVarint32()))
                behind[shard] = SequenceNumber(try reader.readVarint())
            }
        }
        key = try reader.readBytes(limit: Limits.cursorBytes)
    }

    /// Bytes of a time zone's or a language's name.
    private static let contextBytes = 256
}

extension ByteWriter {
    fileprivate mutating func append(_ text: String) {
        let bytes = Array(text.utf8)
        writeVarint(UInt64(bytes.count))
        writeRaw(bytes)
    }
}

/// Why a query cannot go on from a cursor.
package enum CursorRefusal: Error, Hashable, Sendable {
    /// The bytes are no cursor; the text says why.
    case damaged(String)
    /// It belongs to another query; the text says what differs.
    case foreign(String)
    /// The versions it reads are gone.
    case expired(String)
    /// It reads an index that had this name, and is not the one that has it now.
    case remade(index: String)
    /// Shards of an index that it reads are not open yet.
    case early(index: String)
    /// It does not say which indexes it reads: a fresnel before them made it.
    case older
}

extension CursorRefusal: CustomStringConvertible {
    /// The number under which the client is told.
    package var code: ErrorCode {
        switch self {
        case .damaged: .invalidArgument
        case .foreign, .remade, .older: .cursorMismatch
        case .expired: .cursorExpired
        case .early: .shardUnavailable
        }
    }

    package var description: String {
        switch self {
        case .damaged(let reason):
            "the cursor cannot be used: \(reason); take the one of a completion whole"
        case .foreign(let difference):
            "the cursor belongs to another query: \(difference); ask that one, or ask without it"
        case .early(let index):
            "index \(index.debugDescription) cannot be read at the cursor yet, since shards of it "
                + "are not open; ask again in a moment"
        case .expired(let reason):
            "the cursor has expired: \(reason); ask again without it"
        case .remade(let index):
            "the cursor belongs to another index \(index.debugDescription): that one was made anew "
                + "since, or in another cluster; ask again without it"
        case .older:
            "the cursor is of an older fresnel and does not say which indexes it reads; ask again "
                + "without it"
        }
    }
}
