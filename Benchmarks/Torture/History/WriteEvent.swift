/// A change to documents, as the history names it.
///
/// Keys are numbers, and every version is given once in an index: a document tells by its version
/// which operation made it.
package enum KeyOperation: Codable, Sendable, Equatable {
    /// A whole document of a group; its base is its version.
    case index(key: Int, version: Int, group: String)
    /// A patch: a new version on the base that is there; nothing where nothing is.
    case update(key: Int, version: Int)
    /// A deletion by identifier.
    case delete(key: Int)
    /// A deletion of a domain; each group is one.
    case deleteGroup(group: String)

    /// The key it names.
    package var key: Int? {
        switch self {
        case .index(let key, _, _), .update(let key, _), .delete(let key): key
        case .deleteGroup: nil
        }
    }
}

/// What is known of a batch after its answer, or without one.
package enum WriteOutcome: Codable, Sendable, Equatable {
    /// It was acknowledged; the operations at some positions were refused, with a code.
    case acknowledged(refused: [Int: Int])
    /// Nobody knows: a timeout, a lost connection, an error that promises nothing. Each operation
    /// may have happened, or may not.
    case unknown(String)
    /// It was refused with the promise that nothing was carried out.
    case refused(String)
}

/// A batch of operations and what became of it.
package struct WriteEvent: Codable, Sendable, Equatable {
    /// A client state that was to be committed with the batch.
    package struct StateChange: Codable, Sendable, Equatable {
        /// What must be stored before; empty for nothing.
        package var expected: String
        /// What is stored from then on.
        package var new: String

        /// Describes a change of state.
        package init(expected: String, new: String) {
            self.expected = expected
            self.new = new
        }
    }

    /// The code of a refused patch of a document that is not there (`unknownItem`).
    package static let unknownItemCode = 413

    /// Who wrote; one writer has one batch under way at a time, and its keys are its own.
    package var writer: String
    /// The index.
    package var index: String
    /// What it consists of, in order.
    package var operations: [KeyOperation]
    /// The state that goes with it.
    package var state: StateChange?
    /// When it was sent.
    package var started: Int64
    /// When its answer came, or was given up.
    package var ended: Int64
    /// What became of it.
    package var outcome: WriteOutcome

    /// Describes a batch.
    package init(
        writer: String, index: String, operations: [KeyOperation], state: StateChange? = nil,
        started: Int64, ended: Int64, outcome: WriteOutcome
    ) {
        self.writer = writer
        self.index = index
        self.operations = operations
        self.state = state
        self.started = started
        self.ended = ended
        self.outcome = outcome
    }
}

/// A look at the client state of an index.
package struct StateEvent: Codable, Sendable, Equatable {
    /// The index.
    package var index: String
    /// What was stored; empty for nothing.
    package var value: String
    /// When it was asked for.
    package var started: Int64
    /// When the answer came.
    package var ended: Int64

    /// Describes an answer.
    package init(index: String, value: String, started: Int64, ended: Int64) {
        self.index = index
        self.value = value
        self.started = started
        self.ended = ended
    }
}
