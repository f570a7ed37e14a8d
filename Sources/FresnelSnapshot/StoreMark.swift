package import FresnelKernels
package import FresnelSystem

/// The file that makes a directory or a bucket a store, and tells it from every other one.
///
/// A worker writes and reads only where this file has the identity that the snapshot was asked for
/// with: a volume that is not mounted, or another machine's disk under the same path, is found out
/// before anything is put there.
package struct StoreMark: Hashable, Sendable {
    /// Drawn by chance when the store was made.
    package let identity: Hash128

    package static let objectName = "fresnel-store"
    private static let magic: [UInt8] = Array("FRESNELP".utf8)
    private static let format: UInt32 = 1

    package init(identity: Hash128) { self.identity = identity }

    /// As the file has it: Documentation/file-formats.md, "Store of snapshots".
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.writeRaw(Self.magic)
        writer.write(Self.format)
        writer.write(identity.high)
        writer.write(identity.low)
        writer.write(Hash.checksum(of: writer.bytes))
        return writer.bytes
    }

    /// Reads a store's file; nil when there is none.
    package static func read(from store: some SnapshotStore) throws(SnapshotError) -> StoreMark? {
        guard try store.size(of: objectName) != nil else { return nil }
        let bytes = try store.read(objectName, limit: 4096)
        let place = store.location.text
        return try Sealed.open(
            bytes, magic: magic, formats: format...format, object: objectName, store: place
        ) { (reader, _) throws(KernelError) in
            StoreMark(
                identity: Hash128(high: try reader.readUInt64(), low: try reader.readUInt64()))
        }
    }

    /// Reads a store's file and refuses a place without one, and one of another identity.
    package static func require(
        _ identity: Hash128, in store: some SnapshotStore
    ) throws(SnapshotError) {
        guard let mark = try read(from: store) else { throw .notAStore(store.location.text) }
        guard mark.identity == identity else { throw .otherStore(store.location.text) }
    }

    /// Makes a place a store, or finds that it is one.
    ///
    /// Whoever asks for that says so: a place without the file may be a volume that is not mounted.
    package static func establish(
        in store: some SnapshotStore, chance: any RandomSource
    ) throws(SnapshotError) -> StoreMark {
        if let mark = try read(from: store) { return mark }
        let drawn = StoreMark(identity: Hash128(high: chance.next(), low: chance.next()))
        if try store.put(objectName, SharedBytes(drawn.encoded)) { return drawn }
        // Somebody else was first.
        guard let mark = try read(from: store) else { throw .notAStore(store.location.text) }
        return mark
    }
}

/// Bytes with magic, format and a checksum over everything before it.
enum Sealed {
    /// Reads what is between format and checksum.
    static func open<Value>(
        _ bytes: [UInt8], magic: [UInt8], formats: ClosedRange<UInt32>, object: String,
        store: String, _ body: (inout ByteReader, UInt32) throws(KernelError) -> Value
    ) throws(SnapshotError) -> Value {
        guard bytes.starts(with: magic), bytes.count >= magic.count + 12 else {
            throw .damaged(object: object, store: store, reason: "it does not begin as it should")
        }
        do throws(KernelError) {
            let inside = Array(bytes.dropLast(8))
            var tail = ByteReader(Array(bytes.suffix(8)))
            var reader = ByteReader(Array(inside.dropFirst(magic.count)))
            let format = try reader.readUInt32()
            // What a newer program writes may end otherwise.
            guard format <= formats.upperBound else {
                throw .invalidByte(offset: magic.count, value: 0)
            }
            guard try tail.readUInt64() == Hash.checksum(of: inside) else {
                throw .trailingBytes(offset: inside.count, count: 8)
            }
            guard formats.contains(format) else {
                throw .invalidByte(offset: magic.count, value: 0)
            }
            let value = try body(&reader, format)
            try reader.requireEnd()
            return value
        } catch {
            throw refusal(error, bytes, magic.count, formats, object: object, store: store)
        }
    }

    private static func refusal(
        _ error: KernelError, _ bytes: [UInt8], _ offset: Int, _ formats: ClosedRange<UInt32>,
        object: String, store: String
    ) -> SnapshotError {
        var format: UInt32 = 0
        for place in (0..<4).reversed() { format = format << 8 | UInt32(bytes[offset + place]) }
        if format > formats.upperBound {
            return .version(
                object: object, store: store, found: format, known: formats.upperBound)
        }
        let isChecksum = error == .trailingBytes(offset: bytes.count - 8, count: 8)
        return .damaged(
            object: object, store: store,
            reason: isChecksum ? "the checksum does not fit" : "\(error)")
    }
}
