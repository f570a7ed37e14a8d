package import FresnelKernels
package import FresnelSystem

/// A place for the objects of snapshots: names and bytes that never change.
///
/// Every verb is durable when it returns, and an object is there whole or not at all, also after a
/// crash at any point. That is all that a snapshot is built on: its files are put first, and the
/// one object that names them last.
package protocol SnapshotStore: Sendable {
    /// Where it is, for messages.
    var location: StoreLocation { get }

    /// Puts an object under a name that is free.
    ///
    /// - Returns: false, and nothing done, when there is an object of that name.
    func put(_ name: String, _ bytes: SharedBytes) throws(SnapshotError) -> Bool

    /// The size of an object in bytes; nil when there is none.
    func size(of name: String) throws(SnapshotError) -> UInt64?

    /// Bytes of an object from `offset`: `count`, or as many as there are.
    ///
    /// - Throws: `missing` when there is no such object.
    func read(_ name: String, from offset: UInt64, count: Int) throws(SnapshotError) -> [UInt8]

    /// The objects whose names begin with a prefix that ends with `/`, sorted by name.
    func list(_ prefix: String) throws(SnapshotError) -> [ListedObject]

    /// Removes an object; nothing when there is none.
    func remove(_ name: String) throws(SnapshotError)
}

/// An object as a list names it.
package struct ListedObject: Hashable, Sendable {
    package let name: String
    package let bytes: UInt64

    package init(name: String, bytes: UInt64) {
        self.name = name
        self.bytes = bytes
    }
}

/// What became of an object that was put under the name of its contents.
package enum PutOutcome: Hashable, Sendable {
    /// It was not there.
    case sent
    /// It was there already.
    case reused
    /// It was there, damaged as the text says, and is whole now.
    case replaced(String)
}

/// An object that is named by the hash of its bytes.
package struct StoredObject: Hashable, Sendable {
    /// What is in it, which says where it is.
    package enum Kind: Hashable, Sendable {
        /// A segment file, as workers have it.
        case segment
        /// The manifest of a replica.
        case manifest
    }

    package let kind: Kind
    /// XXH3 with 128 bits over all bytes.
    package let hash: Hash128
    package let bytes: UInt64

    package init(_ kind: Kind, hash: Hash128, bytes: UInt64) {
        self.kind = kind
        self.hash = hash
        self.bytes = bytes
    }

    /// The name in a store.
    package var name: String {
        switch kind {
        case .segment: "\(Self.segments)\(hash).seg"
        case .manifest: "\(Self.manifests)\(hash).manifest"
        }
    }

    /// Where segments are.
    package static let segments = "segments/"
    /// Where manifests of replicas are.
    package static let manifests = "manifests/"
}

extension SnapshotStore {
    /// Bytes that are read or written at once.
    package static var pieceBytes: Int { 4 << 20 }

    /// A whole object.
    ///
    /// - Throws: `damaged` when it is larger than `limit`.
    package func read(_ name: String, limit: Int) throws(SnapshotError) -> [UInt8] {
        let bytes = try read(name, from: 0, count: limit + 1)
        guard bytes.count <= limit else {
            throw .damaged(
                object: name, store: location.text, reason: "it has more than \(limit) bytes")
        }
        return bytes
    }

    /// Reads an object piece by piece and compares it with its name.
    ///
    /// - Parameter body: gets the pieces in their order, before the last one was compared.
    /// - Throws: `missing`; `damaged` when size or hash are not what they should be.
    package func read(
        _ object: StoredObject, _ body: ([UInt8]) throws(SnapshotError) -> Void
    ) throws(SnapshotError) {
        var hash = StreamingHash()
        var offset: UInt64 = 0
        while offset < object.bytes {
            let count = Int(min(UInt64(Self.pieceBytes), object.bytes - offset))
            let isLast = offset + UInt64(count) == object.bytes
            // One byte more tells whether it ends where it should.
            let piece = try read(object.name, from: offset, count: isLast ? count + 1 : count)
            guard piece.count >= count else {
                throw damage(object, "it ends after \(offset + UInt64(piece.count)) bytes")
            }
            guard piece.count == count else { throw damage(object, "it is longer than that") }
            hash.update(piece)
            offset += UInt64(count)
            try body(piece)
        }
        guard hash.digest() == object.hash else {
            throw damage(object, "its bytes have another hash than its name says")
        }
    }

    private func damage(_ object: StoredObject, _ reason: String) -> SnapshotError {
        .damaged(
            object: object.name, store: location.text,
            reason: "it should have \(object.bytes) bytes: \(reason)")
    }

    /// Puts an object whose name says what is in it.
    ///
    /// - Parameter isComparing: whether one that is there is read and compared with its name; its
    ///   size is compared in any case. A damaged one is replaced.
    package func put(
        _ object: StoredObject, _ bytes: SharedBytes, comparing isComparing: Bool
    ) throws(SnapshotError) -> PutOutcome {
        guard let size = try size(of: object.name) else {
            return try put(object.name, bytes) ? .sent : .reused
        }
        guard let damage = try damage(of: object, size, reading: isComparing) else {
            return .reused
        }
        try remove(object.name)
        return try put(object.name, bytes) ? .replaced(damage) : .reused
    }

    /// What is wrong with an object that is there; nil when nothing is.
    private func damage(
        of object: StoredObject, _ size: UInt64, reading isReading: Bool
    ) throws(SnapshotError) -> String? {
        guard size == object.bytes else { return "it has \(size) of \(object.bytes) bytes" }
        guard isReading else { return nil }
        do throws(SnapshotError) {
            try read(object) { (_) throws(SnapshotError) in }
            return nil
        } catch {
            switch error {
            case .damaged(_, _, let reason): return reason
            case .missing: return "it went while it was read"
            case .system(.failed(_, _, .inputOutput)): return "the disk cannot read it"
            default: throw error
            }
        }
    }
}
