import BenchmarkWorkload
import FresnelClient
import FresnelModel
import FresnelWire
import ZeroMQ

/// A query as the bytes that ask it.
struct BareQuestion: Sendable {
    let query: WorkloadQuery
    /// Hits granted with the question.
    let credit: UInt64

    private let header: [UInt8]
    private let control: [UInt8]

    /// - Parameter window: hits that a query without a limit is granted at once.
    init(_ query: WorkloadQuery, in index: IndexName, window: Int) throws {
        self.query = query
        var request = try query.request(in: index)
        request.credit = query.limit ?? window
        let search = WireSearch(request)
        credit = search.creditItems
        var envelope = Envelope(id: RequestID(high: 1, low: 0))
        envelope.budget = Limits.deadlineDefault
        let frames = Message(envelope, .query(search)).frames()
        header = frames[0]
        control = frames[1]
    }

    /// The frames that ask it under an id.
    func frames(id: RequestID) -> [FrameBytes] {
        var header = header
        for place in 0..<8 {
            let shift = UInt64(56 - 8 * place)
            header[8 + place] = UInt8(truncatingIfNeeded: id.high >> shift)
            header[16 + place] = UInt8(truncatingIfNeeded: id.low >> shift)
        }
        return [.array(header), .array(control)]
    }
}
