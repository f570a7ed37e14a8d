import Glibc

/// Blocks of memory of one thread, touched and freed, of whose pages one can see whether they are
/// still this process's.
@safe
struct FreedBlocks {
    /// Page-aligned addresses inside the former blocks, each behind the start of its block.
    private let pages: [UInt]
    private static let pageBytes = UInt(sysconf(Int32(_SC_PAGESIZE)))

    /// Takes, touches and frees so many blocks.
    ///
    /// - Parameter bytes: of a block, two pages at least.
    init(count: Int, bytes: Int) {
        // Nothing else is taken meanwhile: the blocks lie at the end of the thread's memory.
        var addresses: [UInt] = []
        addresses.reserveCapacity(count)
        for _ in 0..<count {
            // No memory for a test: its expectations fail.
            guard let block = unsafe malloc(bytes) else { continue }
            unsafe memset(block, 1, bytes)
            addresses.append(UInt(bitPattern: block))
        }
        for address in addresses { unsafe free(UnsafeMutableRawPointer(bitPattern: address)) }
        for place in addresses.indices {
            addresses[place] = (addresses[place] / Self.pageBytes + 1) * Self.pageBytes
        }
        pages = addresses
    }

    /// How many of the pages are in memory.
    var residentCount: Int {
        pages.count { page in
            var state: UInt8 = 0
            // It looks at an address of this process and touches nothing there.
            let status = unsafe mincore(
                UnsafeMutableRawPointer(bitPattern: page), Int(Self.pageBytes), &state)
            return status == 0 && state & 1 == 1
        }
    }
}
