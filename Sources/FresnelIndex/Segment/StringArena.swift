import FresnelKernels

/// Byte strings gathered one behind the other; what becomes a `StringList`.
struct StringArena {
    /// Where each string begins, and where the last ends.
    private(set) var offsets: [UInt32] = [0]
    private(set) var bytes: [UInt8] = []

    var count: Int { offsets.count - 1 }

    /// One string; `index` is in 0..<`count`.
    subscript(index: Int) -> Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span.extracting(range(index)) }
    }

    /// Where a string lies in `bytes`.
    @inline(__always)
    func range(_ index: Int) -> Range<Int> { Int(offsets[index])..<Int(offsets[index + 1]) }

    /// Adds a string.
    ///
    /// Offsets wrap beyond 4 GiB, and then no string may be read. A merge, which gathers documents
    /// of many segments, stops before that; parts and their texts are far smaller.
    mutating func append(_ string: Span<UInt8>) {
        bytes.append(copying: string)
        close()
    }

    /// Adds a string.
    mutating func append(_ string: [UInt8]) {
        bytes.append(contentsOf: string)
        close()
    }

    /// Adds the string that a closure appends to those before it.
    mutating func append(appending: (inout [UInt8]) -> Void) {
        appending(&bytes)
        close()
    }

    /// Whether others are the same strings in the same order.
    func isEqual(to others: StringArena) -> Bool {
        offsets == others.offsets && bytes == others.bytes
    }

    mutating func reserve(count: Int, bytes byteCount: Int) {
        offsets.reserveCapacity(count + 1)
        bytes.reserveCapacity(byteCount)
    }

    private mutating func close() { offsets.append(UInt32(truncatingIfNeeded: bytes.count)) }
}

/// Texts in the order (folded key, original bytes); what becomes `SortedTexts`.
struct SortedArena {
    /// The folded keys.
    var keys = StringArena()
    /// The texts themselves; empty where they equal their key.
    var originals = StringArena()

    var count: Int { keys.count }

    /// Adds the text that follows all others.
    mutating func append(key: Span<UInt8>, original: Span<UInt8>) {
        keys.append(key)
        let isFolded = ByteOrder.compare(key, original) == 0
        originals.append(isFolded ? original.extracting(0..<0) : original)
    }
}
