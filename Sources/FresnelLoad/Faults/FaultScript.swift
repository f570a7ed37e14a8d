/// What is done to the processes of a cluster while it is measured.
///
/// Written as `at 20s kill worker-2; at 30s start worker-2`: times count from the beginning of the
/// measurement, and what is done must be possible by what was done before.
package struct FaultScript: Hashable, Sendable {
    /// One thing that is done.
    package struct Fault: Hashable, Sendable, CustomStringConvertible {
        /// When, after the beginning of the measurement.
        package let seconds: Double
        package let action: Action
        package let target: Target

        package var description: String { "\(action.rawValue) \(target)" }
    }

    /// What can be done to a process.
    package enum Action: String, Hashable, Sendable, CaseIterable {
        /// It ends at once, without a word (SIGKILL).
        case kill
        /// It stands still and keeps its connections (SIGSTOP).
        case stop
        /// It goes on after `stop` (SIGCONT).
        case `continue`
        /// It begins anew after `kill`, with the files it had.
        case start
    }

    /// A process of a cluster.
    package enum Target: Hashable, Sendable, CustomStringConvertible {
        case broker
        /// Workers are numbered from 1.
        case worker(Int)

        package var description: String {
            switch self {
            case .broker: "broker"
            case .worker(let number): "worker-\(number)"
            }
        }
    }

    /// In the order of their times.
    package let faults: [Fault]

    /// No script has more faults.
    package static let faultsMost = 100

    /// Reads a script.
    ///
    /// - Parameters:
    ///   - workers: how many there are; others cannot be named.
    ///   - seconds: how long the measurement lasts; nothing can be done later.
    /// - Throws: `FaultScriptError` with the place in the text.
    package init(
        parsing text: String, workers: Int, seconds: Double
    ) throws(FaultScriptError) {
        var reader = FaultScriptReader(text, workers: workers, seconds: seconds)
        let placed = try reader.faults()
        try Self.check(placed)
        faults = placed.map(\.fault)
    }

    private enum Condition {
        case running
        case stopped
        case dead
    }

    /// Walks through all faults and refuses the first that has nothing to work on.
    private static func check(
        _ placed: [(fault: Fault, column: Int)]
    ) throws(FaultScriptError) {
        var conditions: [Target: Condition] = [:]
        for (fault, column) in placed {
            let condition = conditions[fault.target] ?? .running
            switch (fault.action, condition) {
            case (.kill, .running), (.kill, .stopped): conditions[fault.target] = .dead
            case (.stop, .running): conditions[fault.target] = .stopped
            case (.continue, .stopped): conditions[fault.target] = .running
            case (.start, .dead): conditions[fault.target] = .running
            case (_, .dead):
                throw .at(column, "\(fault.target) is dead by then; start it first")
            case (_, .stopped):
                throw .at(column, "\(fault.target) is stopped by then; continue or kill it first")
            case (_, .running):
                throw .at(column, "\(fault.target) is running by then; kill or stop it first")
            }
        }
    }
}

/// Why a script of faults cannot be read, and where.
package struct FaultScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The character at which it stopped, counted from 1.
    package let column: Int
    package let message: String

    static func at(_ column: Int, _ message: String) -> FaultScriptError {
        FaultScriptError(column: column, message: message)
    }

    package var description: String {
        "column \(column): \(message); write 'at 20s kill worker-2; at 30s start worker-2'"
    }
}
