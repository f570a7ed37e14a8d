package import FresnelModel

/// Makes the requests of measurements: this process, or several.
package protocol LoadGenerator: Sendable {
    /// Connections that requests are spread over, in all.
    var connectionCount: Int { get }
    /// How long before its start a measurement has to be ordered, in nanoseconds.
    var leadNanoseconds: Int64 { get }
    /// Makes the requests of one measurement and waits for the last of them; where the task is
    /// cancelled, what has been measured until then.
    ///
    /// - Parameter observe: called once, with a way to ask how it goes.
    func measure(_ order: LoadOrder, observe: LoadObserver) async -> Recorder.Contents
    /// Removes what the load wrote.
    func clear() async throws(SearchError)
}

/// Is told how to ask for the progress of a measurement.
package typealias LoadObserver =
    @Sendable (_ progress: @escaping @Sendable () -> LoadProgress) -> Void

/// Which of all planned requests a process makes: those whose number has a remainder.
///
/// Every process walks the whole plan, so that however many there are, the same seed makes the same
/// requests at the same times.
package struct LoadShare: Hashable, Sendable {
    /// From 0.
    package let number: Int
    /// How many processes there are.
    package let count: Int

    /// Everything.
    package static let whole = LoadShare(number: 0, count: 1)

    package init(number: Int, count: Int) {
        precondition((0..<count).contains(number), "share \(number) of \(count)")
        self.number = number
        self.count = count
    }

    func has(_ request: Int) -> Bool { request % count == number }

    /// Counts the requests of this share from 0.
    func place(of request: Int) -> Int { request / count }
}
