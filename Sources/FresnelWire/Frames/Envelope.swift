package import FresnelModel

/// What the header says about a message beside its verb and shape.
package struct Envelope: Hashable, Sendable {
    /// `part` of a stream that is not one shard's.
    package static let mergedPart = UInt32.max

    /// The request this belongs to; `.session` where it belongs to none.
    package var id: RequestID
    /// The shard number, or `mergedPart`.
    package var part: UInt32
    /// Position in the stream of (id, attempt, part), from 0; for PUT_PART the batch's number.
    package var sequence: UInt64
    /// Which try of the request, from 0.
    package var attempt: UInt32
    /// The configuration generation of the sender; 0 before it knows one.
    package var epoch: Epoch
    /// The time that is left for the request, in whole milliseconds on the wire; nil: no bound.
    package var budget: Duration?

    /// Makes an envelope; the defaults are those of a session message.
    package init(
        id: RequestID = .session, part: UInt32 = Envelope.mergedPart, sequence: UInt64 = 0,
        attempt: UInt32 = 0, epoch: Epoch = Epoch(0), budget: Duration? = nil
    ) {
        self.id = id
        self.part = part
        self.sequence = sequence
        self.attempt = attempt
        self.epoch = epoch
        self.budget = budget
    }

    /// The budget as the header carries it: whole milliseconds, rounded down; all ones for none.
    package var budgetMilliseconds: UInt32 {
        guard let budget else { return .max }
        let milliseconds = max(0, budget.wholeNanoseconds) / 1_000_000
        return UInt32(min(milliseconds, Int64(UInt32.max) - 1))
    }
}
