extension [UInt8] {
    /// Copies borrowed bytes into an array of their own.
    package init(copying bytes: Span<UInt8>) {
        // The buffer lives for the closure only; the array copies from it at once.
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Appends borrowed bytes.
    package mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}

extension OutputSpan<UInt8> {
    /// Appends the eight bytes of a word, the lowest first, for which there is room.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    package mutating func append(littleEndian word: UInt64) {
        precondition(freeCapacity >= 8, "eight bytes in \(freeCapacity)")
        unsafe withUnsafeMutableBufferPointer { room, count in
            guard let target = room.baseAddress else { return }
            // The room was checked in the first line.
            unsafe UnsafeMutableRawPointer(target + count).storeBytes(
                of: word.littleEndian, as: UInt64.self)
            count += 8
        }
    }

    /// Appends borrowed bytes, for which there is room.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    package mutating func append(copying bytes: Span<UInt8>) {
        precondition(bytes.count <= freeCapacity, "\(bytes.count) bytes in \(freeCapacity)")
        unsafe withUnsafeMutableBufferPointer { room, count in
            unsafe bytes.withUnsafeBytes { source in
                guard let target = room.baseAddress, let start = source.baseAddress else { return }
                // The room was checked in the first line.
                unsafe UnsafeMutableRawPointer(target + count).copyMemory(
                    from: start, byteCount: source.count)
                count += source.count
            }
        }
    }
}
