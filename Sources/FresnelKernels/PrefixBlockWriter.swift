/// Gathers strings into blocks of sixteen.
package struct PrefixBlockWriter {
    /// Where each block begins, and where the last ends.
    package private(set) var starts: [UInt32] = [0]
    /// The blocks.
    package private(set) var blob: [UInt8] = []
    /// Whether every string so far fits: neither the shared beginning of a block nor a rest may be
    /// longer than 255 bytes, all of them together not longer than 4 GiB.
    package private(set) var isPossible = true
    private var texts: [UInt8] = []
    private var ends: [Int] = []
    /// Packs the rests; nil where they stand as they are.
    private let code: SymbolLearning?
    private var rests: [UInt8] = []

    /// - Parameter code: packs what strings have behind their shared beginning.
    package init(code: SymbolLearning? = nil) { self.code = code }

    /// Adds a string behind all others.
    package mutating func append(_ text: Span<UInt8>) {
        texts.append(copying: text)
        ends.append(texts.count)
        if ends.count == PrefixBlocks.blockLength { close() }
    }

    /// Ends the last block; nothing may be added then.
    package mutating func finish() {
        if !ends.isEmpty { close() }
    }

    private mutating func close() {
        let limit = code == nil ? PrefixBlocks.partLimit : PrefixBlocks.wide - 1
        let shared = min(limit, sharedCount())
        var counts: [Int] = []
        var start = 0
        let texts = texts
        for end in ends {
            let before = rests.count
            let rest = texts.span.extracting(start + shared..<end)
            if let code {
                code.append(rest, to: &rests)
            } else {
                rests.append(copying: rest)
            }
            counts.append(rests.count - before)
            if max(rest.count, rests.count - before) > PrefixBlocks.partLimit { isPossible = false }
            start = end
        }
        appendHead(shared, counts)
        blob += texts[0..<shared]
        blob += rests
        rests.removeAll(keepingCapacity: true)
        if blob.count > Int(UInt32.max) { isPossible = false }
        starts.append(UInt32(truncatingIfNeeded: blob.count))
        self.texts.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// Appends the lengths of the shared beginning and of the rests.
    private mutating func appendHead(_ shared: Int, _ counts: [Int]) {
        let lengths = counts + Array(repeating: 0, count: PrefixBlocks.blockLength - counts.count)
        guard code != nil, lengths.allSatisfy({ $0 < 16 }) else {
            blob.append(UInt8(shared + (code == nil ? 0 : PrefixBlocks.wide)))
            for length in lengths { blob.append(UInt8(truncatingIfNeeded: length)) }
            return
        }
        blob.append(UInt8(shared))
        for place in stride(from: 0, to: lengths.count, by: 2) {
            blob.append(UInt8(lengths[place] | lengths[place + 1] << 4))
        }
    }

    /// How many bytes all strings of the open block begin with alike.
    private func sharedCount() -> Int {
        var shared = ends[0]
        var start = ends[0]
        for end in ends.dropFirst() {
            var count = 0
            while count < shared, start + count < end, texts[count] == texts[start + count] {
                count += 1
            }
            shared = count
            start = end
        }
        return shared
    }
}
