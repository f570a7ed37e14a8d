// What a file is to a crash. Linux keeps written bytes in pages marked dirty; a sync copies them
// to the disk. Two lengths and two contents follow: what readers see (`content`) and what the disk
// has (`durable`). A sync that fails marks the pages clean without having copied them, so the next
// sync succeeds and still loses them: the trap that `StorageFile.sync` warns of is real here too.

/// One file of `MemoryStorage`, named or not.
struct MemoryFile {
    /// What reads return.
    var content: [UInt8] = []
    /// What survives a crash for certain.
    var durable: [UInt8] = []
    /// Parts of `content` that no sync has tried to copy, in the order they were written.
    var dirty: [Range<Int>] = []
    /// Whether `content` was cut below `durable` since the last sync.
    var isCut = false

    mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int) {
        let end = offset + bytes.count
        let overlap = min(content.count, end)
        if offset < overlap {
            content.replaceSubrange(offset..<overlap, with: bytes.prefix(overlap - offset))
        }
        content.append(contentsOf: bytes.dropFirst(max(0, overlap - offset)))
        guard let last = dirty.last, last.upperBound == offset else {
            dirty.append(offset..<end)
            return
        }
        dirty[dirty.count - 1] = last.lowerBound..<end
    }

    mutating func truncate(to size: Int) {
        content.removeLast(content.count - size)
        isCut = isCut || size < durable.count
        dirty = dirty.compactMap { range in
            range.lowerBound < size ? range.lowerBound..<min(range.upperBound, size) : nil
        }
    }

    /// Copies every dirty byte; the parts that a failed sync dropped stay lost.
    mutating func sync() {
        if isCut { durable.removeLast(max(0, durable.count - content.count)) }
        for range in dirty { copyToDisk(range) }
        dropDirt()
    }

    /// Forgets what is dirty, as the kernel does when the device refuses the pages.
    mutating func dropDirt() {
        dirty = []
        isCut = false
    }

    /// Keeps what a power failure leaves: the durable bytes and, at random, parts of the dirty.
    mutating func crash(using generator: inout SeededGenerator) {
        if isCut, Bool.random(using: &generator) {
            durable.removeLast(max(0, durable.count - content.count))
        }
        for range in dirty {
            let kept = Int.random(in: 0...range.count, using: &generator)
            copyToDisk(range.lowerBound..<range.lowerBound + kept)
            guard kept < range.count, Int.random(in: 0..<4, using: &generator) == 0 else {
                continue
            }
            // The size reached the disk before the bytes did: zeros follow what was written.
            let lost = range.lowerBound + kept..<range.upperBound
            extendDurable(to: Int.random(in: lost.lowerBound...lost.upperBound, using: &generator))
        }
        content = durable
        dropDirt()
    }

    private mutating func copyToDisk(_ range: Range<Int>) {
        extendDurable(to: range.upperBound)
        durable.replaceSubrange(range, with: content[range])
    }

    private mutating func extendDurable(to size: Int) {
        guard durable.count < size else { return }
        durable.append(contentsOf: repeatElement(0, count: size - durable.count))
    }
}
