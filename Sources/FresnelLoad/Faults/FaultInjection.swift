/// A script of faults together with somebody who can carry it out.
package struct FaultInjection: Sendable {
    /// Carries out one fault.
    ///
    /// Returns why that did not work; nil if it did.
    package typealias Performer = @Sendable (FaultScript.Fault) async -> String?

    let script: FaultScript
    let perform: Performer

    package init(_ script: FaultScript, perform: @escaping Performer) {
        self.script = script
        self.perform = perform
    }

    /// Carries out each fault at its time, and tells what was done when.
    func run(_ clock: RunClock, note: @Sendable (Timeline.Event) -> Void) async {
        for fault in script.faults {
            guard await clock.sleep(until: Int64(fault.seconds * 1e9)) else { return }
            let seconds = Double(clock.now) / 1e9
            let complaint = await perform(fault)
            let text = complaint.map { "\(fault) did not work: \($0)" } ?? fault.description
            note(Timeline.Event(seconds: seconds, text: text))
        }
    }
}
