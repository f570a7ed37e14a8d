// 128 numbers of equal width, in the vertical layout of SIMD-BP128.
//
// Source: Lemire & Boytsov 2015, "Decoding billions of integers per second through vectorization".
// Number i belongs to lane i % 4. A lane is a stream of 32 numbers of `width` bits, lowest bits
// first, cut into `width` words of 32 bits; word k of lane l stands at byte 16 k + 4 l, little
// endian. Four neighbours are therefore shifted by one amount, which the compiler turns into one
// vector instruction. Each width gets its own unrolled loop, as the shifts are constants there.

/// Packs and unpacks blocks of 128 numbers.
package enum BitPacking {
    /// The count of numbers in a block.
    package static let blockLength = 128

    /// The length of a packed block in bytes; `width` is bits per number, 0...32.
    package static func byteCount(width: Int) -> Int { 16 * width }

    /// The smallest width that holds every one of `values`, 0...32.
    package static func width(of values: Span<UInt32>) -> Int {
        var union: UInt32 = 0
        for index in values.indices { union |= values[index] }
        return 32 - union.leadingZeroBitCount
    }

    /// Appends 128 packed numbers.
    ///
    /// `values` holds exactly 128 numbers that fit `width` bits; higher bits would be lost.
    package static func pack(_ values: Span<UInt32>, width: Int, into bytes: inout [UInt8]) {
        precondition(values.count == blockLength, "a block of \(values.count) numbers")
        precondition((0...32).contains(width), "a width of \(width) bits")
        guard width > 0 else { return }
        var words = [UInt32](repeating: 0, count: 4 * width)
        for index in 0..<blockLength {
            let lane = index & 3
            let bit = (index >> 2) * width
            let word = 4 * (bit >> 5) + lane
            let shift = UInt32(bit & 31)
            words[word] |= values[index] &<< shift
            if Int(shift) + width > 32 { words[word + 4] |= values[index] &>> (32 - shift) }
        }
        bytes.reserveCapacity(bytes.count + 16 * width)
        for word in words {
            for shift: UInt32 in [0, 8, 16, 24] {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
    }

    /// Unpacks 128 numbers into the front of `values`.
    ///
    /// - Parameters:
    ///   - packed: holds 16 × `width` bytes from `offset` on.
    ///   - offset: where the block begins.
    ///   - width: bits per number; more than 32 is refused.
    ///   - values: has room for at least 128 numbers.
    /// - Throws: `truncated` or `invalidByte`; `values` is untouched then.
    package static func unpack(
        _ packed: Span<UInt8>, at offset: Int, width: Int, into values: inout MutableSpan<UInt32>
    ) throws(KernelError) {
        precondition(values.count >= blockLength, "room for \(values.count) of 128 numbers")
        guard width >= 0, width <= 32 else {
            throw .invalidByte(offset: offset, value: UInt8(truncatingIfNeeded: width))
        }
        guard offset >= 0, offset <= packed.count else {
            throw .truncated(offset: packed.count, needed: 1)
        }
        let available = packed.count - offset
        guard available >= 16 * width else {
            throw .truncated(offset: packed.count, needed: 16 * width - available)
        }
        // Checked above: 16 × width bytes to read, 128 numbers to write. Bytes need no alignment.
        unsafe packed.withUnsafeBytes { source in
            unsafe values.withUnsafeMutableBytes { target in
                guard let end = target.baseAddress else { return }
                guard let start = source.baseAddress, width > 0 else {
                    unsafe end.initializeMemory(as: UInt32.self, repeating: 0, count: blockLength)
                    return
                }
                unsafe unpack(start + offset, width: width, to: end)
            }
        }
    }

    /// One of 128 packed numbers, read alone; nil where the block is not there.
    ///
    /// - Parameters:
    ///   - packed: holds 16 × `width` bytes from `offset` on.
    ///   - offset: where the block begins.
    ///   - width: bits per number; more than 32 is refused.
    ///   - index: which number, 0..<128.
    package static func number(
        _ packed: Span<UInt8>, at offset: Int, width: Int, index: Int
    ) -> UInt32? {
        precondition(index >= 0 && index < blockLength, "number \(index) of 128")
        guard width >= 0, width <= 32, offset >= 0, offset <= packed.count,
            packed.count - offset >= 16 * width
        else { return nil }
        guard width > 0 else { return 0 }
        let bit = (index >> 2) &* width
        let word = offset &+ 16 &* (bit >> 5) &+ 4 &* (index & 3)
        let shift = UInt64(truncatingIfNeeded: bit & 31)
        return unsafe packed.withUnsafeBytes { source -> UInt32 in
            // Words of the lane up to number `bit + width` lie inside 16 × width bytes.
            var bits = unsafe UInt64(source.loadUnaligned(fromByteOffset: word, as: UInt32.self))
            if Int(shift) &+ width > 32 {
                bits |=
                    unsafe UInt64(
                        source.loadUnaligned(fromByteOffset: word &+ 16, as: UInt32.self)) &<< 32
            }
            return UInt32(truncatingIfNeeded: bits &>> shift & ((1 &<< UInt64(width)) &- 1))
        }
    }

    /// The sum of the first of 128 packed numbers; nil where the block is not there.
    ///
    /// - Parameters:
    ///   - packed: holds 16 × `width` bytes from `offset` on.
    ///   - offset: where the block begins.
    ///   - width: bits per number; more than 32 is refused. Sums wrap.
    ///   - count: how many numbers, 0..<128.
    package static func sum(
        _ packed: Span<UInt8>, at offset: Int, width: Int, first count: Int
    ) -> UInt32? {
        precondition(count >= 0 && count < blockLength, "\(count) of 128 numbers")
        guard width >= 0, width <= 32, offset >= 0, offset <= packed.count,
            packed.count - offset >= 16 * width
        else { return nil }
        guard width > 0, count > 0 else { return 0 }
        return unsafe packed.withUnsafeBytes { source -> UInt32 in
            // Not empty, as was checked above, and every vector lies inside 16 × width bytes.
            guard let start = source.baseAddress else { return 0 }
            var sums = SIMD4<UInt32>.zero
            let rows = count >> 2
            for row in 0..<rows {
                sums = unsafe sums &+ four(start + offset, width, row)
            }
            let rest = count & 3
            guard rest > 0 else { return sums.wrappedSum() }
            let last = unsafe four(start + offset, width, rows)
            let kept = SIMD4<UInt32>(0, 1, 2, 3) .< SIMD4(repeating: UInt32(rest))
            return (sums &+ last.replacing(with: 0, where: .!kept)).wrappedSum()
        }
    }

    /// Unpacks 128 numbers of 1...32 bits: 16 × width bytes are there, and room for the numbers.
    static func unpack(
        _ source: UnsafeRawPointer, width: Int, to target: UnsafeMutableRawPointer
    ) {
        switch width {
        case 1: unsafe unrolled(source, 1, target)
        case 2: unsafe unrolled(source, 2, target)
        case 3: unsafe unrolled(source, 3, target)
        case 4: unsafe unrolled(source, 4, target)
        case 5: unsafe unrolled(source, 5, target)
        case 6: unsafe unrolled(source, 6, target)
        case 7: unsafe unrolled(source, 7, target)
        case 8: unsafe unrolled(source, 8, target)
        case 9: unsafe unrolled(source, 9, target)
        case 10: unsafe unrolled(source, 10, target)
        case 11: unsafe unrolled(source, 11, target)
        case 12: unsafe unrolled(source, 12, target)
        case 13: unsafe unrolled(source, 13, target)
        case 14: unsafe unrolled(source, 14, target)
        case 15: unsafe unrolled(source, 15, target)
        case 16: unsafe unrolled(source, 16, target)
        default: unsafe unrolled(source, width, target)
        }
    }

    /// Inlined with a constant width, 1...32, it becomes straight vector code.
    ///
    /// Steps are written out by eights: the compiler keeps a loop of 32, and its shifts are no
    /// constants then.
    @inline(__always)
    private static func unrolled(
        _ source: UnsafeRawPointer, _ width: Int, _ target: UnsafeMutableRawPointer
    ) {
        unsafe eight(source, width, 0, target)
        unsafe eight(source, width, 8, target)
        unsafe eight(source, width, 16, target)
        unsafe eight(source, width, 24, target)
    }

    /// Eight vectors from one on.
    @inline(__always)
    private static func eight(
        _ source: UnsafeRawPointer, _ width: Int, _ first: Int, _ target: UnsafeMutableRawPointer
    ) {
        unsafe vector(source, width, first, target)
        unsafe vector(source, width, first &+ 1, target)
        unsafe vector(source, width, first &+ 2, target)
        unsafe vector(source, width, first &+ 3, target)
        unsafe vector(source, width, first &+ 4, target)
        unsafe vector(source, width, first &+ 5, target)
        unsafe vector(source, width, first &+ 6, target)
        unsafe vector(source, width, first &+ 7, target)
    }

    /// Unpacks four numbers.
    @inline(__always)
    private static func vector(
        _ source: UnsafeRawPointer, _ width: Int, _ step: Int, _ target: UnsafeMutableRawPointer
    ) {
        unsafe target.storeBytes(
            of: four(source, width, step), toByteOffset: 16 &* step, as: SIMD4<UInt32>.self)
    }

    /// Four numbers, one of each lane.
    @inline(__always)
    private static func four(
        _ source: UnsafeRawPointer, _ width: Int, _ step: Int
    ) -> SIMD4<UInt32> {
        let mask = SIMD4<UInt32>(repeating: UInt32.max &>> UInt32(truncatingIfNeeded: 32 &- width))
        let bit = step &* width
        let word = bit &>> 5
        let shift = UInt32(truncatingIfNeeded: bit & 31)
        var lanes = unsafe source.loadUnaligned(
            fromByteOffset: 16 &* word, as: SIMD4<UInt32>.self)
        lanes = lanes &>> SIMD4(repeating: shift)
        if Int(shift) &+ width > 32 {
            // The number continues in the next word, which exists because it is not the last.
            let next = unsafe source.loadUnaligned(
                fromByteOffset: 16 &* (word &+ 1), as: SIMD4<UInt32>.self)
            lanes |= next &<< SIMD4(repeating: 32 &- shift)
        }
        return lanes & mask
    }
}
