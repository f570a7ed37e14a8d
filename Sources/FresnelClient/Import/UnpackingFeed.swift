import FresnelKernels

/// The bytes of a compressed source, unpacked as they are read: one chunk in, one chunk out.
final class UnpackingFeed: ByteFeed {
    private let packed: any ByteFeed
    private let form: StreamUnpacker.Form
    private let unpacker: StreamUnpacker
    private let chunkBytes: Int
    private let name: String
    private var input: [UInt8]
    private var position = 0
    private var hasEnded = false
    private var count = 0

    /// - Parameters:
    ///   - beginning: what was read of the source already.
    ///   - name: the source's, for messages.
    init(
        _ form: StreamUnpacker.Form, beginning: [UInt8], rest: any ByteFeed, name: String
    ) {
        self.form = form
        self.name = name
        input = beginning
        packed = rest
        chunkBytes = ByteStream.chunkBytes
        unpacker = StreamUnpacker(form)
    }

    func next() throws(SearchError) -> [UInt8] {
        while true {
            if position == input.count, !hasEnded {
                input = try packed.next()
                position = 0
                hasEnded = input.isEmpty
            }
            let step: StreamUnpacker.Step
            do throws(StreamUnpacker.Damage) {
                step = try unpacker.unpack(input, from: position, limit: chunkBytes)
            } catch {
                guard !error.isTooLarge else {
                    throw SearchError(
                        .invalidArgument,
                        "\(name): the zstd data needs more than 128 MiB of memory; unpack it: "
                            + "zstd -dc --long=31 FILE | fresnel index -")
                }
                throw failure("is damaged: \(error.reason)")
            }
            position += step.taken
            count += step.bytes.count
            guard step.bytes.isEmpty else { return step.bytes }
            guard hasEnded, step.taken == 0 else { continue }
            guard unpacker.isAtEnd else { throw failure("is cut short") }
            return []
        }
    }

    private func failure(_ what: String) -> SearchError {
        SearchError(
            .invalidArgument,
            "\(name): the \(form.rawValue) data \(what), behind \(count) bytes that were unpacked "
                + "and read; copy or download the file again")
    }
}
