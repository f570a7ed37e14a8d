// Identifiers of a table of blocks are put together where they are compared with the one before:
// the beginning that their block shares, and their rest, which may be in codes.

extension BareHits {
    /// Where both parts of an identifier lie, as `PrefixBlocks.places` has found them inside of
    /// the blob.
    ///
    /// Of this module, as only such is sure to be inlined here.
    struct Place {
        private let start: Int
        private let startCount: Int
        private let rest: Int
        private let restCount: Int

        @inline(__always)
        init(_ word: UInt64) {
            rest = Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
            start = rest &- Int(truncatingIfNeeded: word &>> 32 & 0xFFFF)
            startCount = Int(truncatingIfNeeded: word &>> 48 & 0xFF)
            restCount = Int(truncatingIfNeeded: word &>> 56)
        }

        /// Copies both parts as they are; gives their length.
        @inline(__always)
        @unsafe
        func copy(
            _ source: UnsafeRawPointer, _ blobCount: Int, to target: UnsafeMutableRawPointer
        ) -> Int {
            let behind = unsafe target + startCount
            if rest &+ restCount &+ BareHits.step <= blobCount {
                // A step beyond either part may be read, as the first ends before the second.
                // Copying none costs less than asking whether there are some.
                unsafe BareHits.copy(source + start, startCount, target)
                unsafe BareHits.copy(source + rest, restCount, behind)
            } else {
                unsafe target.copyMemory(from: source + start, byteCount: startCount)
                unsafe behind.copyMemory(from: source + rest, byteCount: restCount)
            }
            return startCount &+ restCount
        }

        /// Copies the beginning; gives its length, and where the rest lies.
        @inline(__always)
        @unsafe
        fileprivate func copyBeginning(
            _ source: UnsafeRawPointer, _ blobCount: Int, to target: UnsafeMutableRawPointer
        ) -> (count: Int, rest: Range<Int>) {
            if start &+ startCount &+ BareHits.step <= blobCount {
                unsafe BareHits.copy(source + start, startCount, target)
            } else {
                unsafe target.copyMemory(from: source + start, byteCount: startCount)
            }
            return (startCount, rest..<rest &+ restCount)
        }
    }

    /// What identifiers are unpacked with.
    @unsafe
    struct Codes {
        let source: UnsafeRawPointer
        let blobCount: Int
        let pieces: UnsafePointer<UInt64>
        let lengths: UnsafePointer<UInt8>
        let count: Int

        /// Unpacks an identifier; gives its length, at most that of its beginning and eight bytes
        /// for each of its codes.
        @inline(__always)
        func unpack(_ place: Place, to target: UnsafeMutableRawPointer) -> Int {
            var (written, rest) = unsafe place.copyBeginning(source, blobCount, to: target)
            var offset = rest.lowerBound
            while offset < rest.upperBound {
                let code = unsafe Int(source.load(fromByteOffset: offset, as: UInt8.self))
                offset &+= 1
                if unsafe code < count {
                    unsafe target.storeBytes(
                        of: pieces[code], toByteOffset: written, as: UInt64.self)
                    written &+= unsafe min(8, Int(lengths[code]))
                } else if offset < rest.upperBound {
                    let byte = unsafe source.load(fromByteOffset: offset, as: UInt8.self)
                    unsafe target.storeBytes(of: byte, toByteOffset: written, as: UInt8.self)
                    offset &+= 1
                    written &+= 1
                }
            }
            return written
        }
    }
}
