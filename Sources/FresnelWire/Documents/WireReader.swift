import FresnelKernels

/// Reads one structure's bytes and names the structure in every error.
struct WireReader {
    /// The bytes and the place in them.
    private(set) var base: ByteReader
    /// What is being read, for errors.
    let structure: WireError.Structure

    /// Reads a part of `bytes`, or all.
    init(
        _ bytes: [UInt8], in range: Range<Int>? = nil, as structure: WireError.Structure
    ) throws(WireError) {
        self.structure = structure
        do throws(KernelError) {
            base = try ByteReader(bytes, in: range ?? 0..<bytes.count)
        } catch {
            throw .damaged(structure, error)
        }
    }

    var bytes: [UInt8] { base.bytes }
    var offset: Int { base.offset }
    var isAtEnd: Bool { base.remaining == 0 }

    mutating func byte() throws(WireError) -> UInt8 {
        do throws(KernelError) { return try base.readUInt8() } catch { throw wrap(error) }
    }

    mutating func number32() throws(WireError) -> UInt32 {
        do throws(KernelError) { return try base.readUInt32() } catch { throw wrap(error) }
    }

    mutating func varint() throws(WireError) -> UInt64 {
        do throws(KernelError) { return try base.readVarint() } catch { throw wrap(error) }
    }

    /// A finite double; the format has no others.
    mutating func double() throws(WireError) -> Double {
        let start = offset
        let value: Double
        do throws(KernelError) { value = try base.readDouble() } catch { throw wrap(error) }
        guard value.isFinite else { throw broken("the number at offset \(start) is not finite") }
        return value
    }

    /// How many elements follow, each of at least `bytesEach` bytes.
    mutating func count(limit: Int, bytesEach: Int = 1) throws(WireError) -> Int {
        do throws(KernelError) {
            return try base.readCount(limit: limit, bytesEach: bytesEach)
        } catch {
            throw wrap(error)
        }
    }

    /// A length and as many bytes of UTF-8.
    mutating func text(limit: Int = .max) throws(WireError) -> String {
        do throws(KernelError) {
            return try base.readString(limit: limit)
        } catch {
            throw wrap(error)
        }
    }

    /// A length and the place of as many bytes, which are passed over.
    mutating func slice(limit: Int = .max) throws(WireError) -> Range<Int> {
        do throws(KernelError) {
            let length = try base.readCount(limit: limit)
            let start = base.offset
            try base.skip(length)
            return start..<start + length
        } catch {
            throw wrap(error)
        }
    }

    mutating func skip(_ count: Int) throws(WireError) {
        do throws(KernelError) { try base.skip(count) } catch { throw wrap(error) }
    }

    /// The bytes of a range of this reader's bytes.
    func copy(_ range: Range<Int>) -> [UInt8] { base.copy(range) }

    /// The text of a range of this reader's bytes.
    func text(in range: Range<Int>) throws(WireError) -> String {
        guard let text = base.text(range) else {
            throw wrap(.invalidText(offset: range.lowerBound))
        }
        return text
    }

    func requireEnd() throws(WireError) {
        do throws(KernelError) { try base.requireEnd() } catch { throw wrap(error) }
    }

    func broken(_ reason: String) -> WireError { .invalid(structure, reason: reason) }

    private func wrap(_ error: KernelError) -> WireError { .damaged(structure, error) }
}

/// Which of up to eight things that may be left out are there.
struct PresenceBits {
    let bits: UInt8

    subscript(place: Int) -> Bool { bits &>> UInt8(truncatingIfNeeded: place) & 1 == 1 }
}

extension ByteWriter {
    /// Writes a LEB128 length in bytes and the UTF-8 of a text.
    mutating func writeText(_ text: String) {
        writeVarint(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes a LEB128 length and bytes.
    mutating func writeSlice(_ slice: [UInt8]) {
        writeVarint(UInt64(slice.count))
        bytes.append(contentsOf: slice)
    }
}

extension String {
    /// The order of the wire: by UTF-8 bytes, which every language computes alike.
    func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
