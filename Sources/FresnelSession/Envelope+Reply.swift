package import FresnelWire

extension Envelope {
    /// The envelope of an answer: the same request and the same try of it, so that an answer to an
    /// earlier try is not taken for one to this.
    package var reply: Envelope { Envelope(id: id, attempt: attempt) }
}
