import FresnelJSON

/// Everything that a load came to, as it is written to a file and read again to compare.
package struct LoadReport: Sendable {
    /// The version of the file.
    package static let format: Int64 = 1
    /// The label of what is measured after overload.
    static let recovery = "recovery"

    /// Where and with what it was measured.
    package struct Setting: Sendable {
        /// When it began, ISO 8601.
        package var began: String
        package var endpoint: String
        package var workload: String
        package var seed: UInt64
        /// The version of the program.
        package var version: String
        /// What the program was built from; nil where nobody has said.
        package var commit: String?
        package var host: String
        package var processors: Int
        /// Processes that made the requests.
        package var processes: Int
        /// Connections that they were spread over.
        package var connections: Int
        package var workers: Int
        package var shards: Int
        package var documents: UInt64
        /// How requests were planned, as a person would say it.
        package var plan: String
        package var objective: String?
        /// How much the broker may keep of its answers, in MiB; nil of one that the load did not
        /// start.
        package var keptAnswers: Int?
        /// Copies of every shard of the indexes that were asked; nil where nobody has said.
        package var copies: Int?
        /// What the machine calls its processors; nil where it does not say.
        package var processorModel: String?

        package init(
            began: String, endpoint: String, workload: String, seed: UInt64, version: String,
            host: String, processors: Int, processes: Int = 1, connections: Int = 2,
            workers: Int, shards: Int, documents: UInt64,
            plan: String, objective: String?
        ) {
            self.began = began
            self.endpoint = endpoint
            self.workload = workload
            self.seed = seed
            self.version = version
            self.host = host
            self.processors = processors
            self.processes = processes
            self.connections = connections
            self.workers = workers
            self.shards = shards
            self.documents = documents
            self.plan = plan
            self.objective = objective
        }
    }

    /// One measurement at one rate, or with one number of clients.
    package struct Measurement: Sendable {
        /// What a measurement is for.
        package enum Purpose: String, Hashable, Sendable {
            /// Its figures are what was asked for.
            case figures
            /// A rate of a search: it may be too much.
            case search
            /// A rate that is too much on purpose.
            case overload
        }

        /// What it is for: `main`, `search`, `overload 1.5`, `recovery`, `4 workers`.
        package var label: String
        /// Requests a second that were planned; nil of closed loops.
        package var plannedRate: Double?
        /// How long requests were planned or made, in seconds; nil where nobody has said.
        package var plannedSeconds: Double?
        /// Closed loops; nil of open ones.
        package var loops: Int?
        package var contents: Recorder.Contents
        package var purpose: Purpose
        /// What it says of the objective; nil where nobody has judged.
        package var verdict: Objective.Verdict?
        /// Whether the load was interrupted before its end.
        package var isCutShort = false

        package init(
            label: String, plannedRate: Double?, plannedSeconds: Double? = nil, loops: Int?,
            contents: Recorder.Contents, purpose: Purpose = .figures
        ) {
            self.label = label
            self.purpose = purpose
            self.plannedRate = plannedRate
            self.plannedSeconds = plannedSeconds
            self.loops = loops
            self.contents = contents
        }
    }

    package var setting: Setting
    package var measurements: [Measurement]
    /// The highest rate that held the objective, in requests a second.
    package var saturation: Double?
    /// What clusters of several sizes came to; nil of one.
    package var scaling: ScalingReport?
    /// Why it ended before its plan did; nil if it did not.
    package var interruption: String?
    /// What a reader has to know of the figures beside that.
    package var remarks: [String] = []
    /// What the load wrote and could not remove; nil if it did, or there was nothing.
    package var leftovers: Leftovers?
    /// What it was judged by; nil where there is none.
    package internal(set) var objective: Objective?

    package init(setting: Setting, measurements: [Measurement], saturation: Double? = nil) {
        self.setting = setting
        self.measurements = measurements
        self.saturation = saturation
    }
}

extension LoadReport.Measurement {
    /// All classes as one.
    package var total: ClassTally {
        var total = ClassTally(name: "all")
        for tally in contents.classes { total.add(tally) }
        return total
    }

    /// How long it took until the last answer, failed ones included, in seconds.
    package var elapsedSeconds: Double { Double(contents.health.wallNanoseconds) / 1e9 }

    /// The span that good answers are counted over, in seconds: the planned one, or until the last
    /// good answer where that came later.
    package var seconds: Double {
        guard let plannedSeconds, plannedSeconds > 0 else { return elapsedSeconds }
        return max(plannedSeconds, Double(contents.lastGoodNanoseconds) / 1e9)
    }

    /// The part of whole answers (0...1) that the broker told again; nil where there is none.
    package var keptShare: Double? {
        let answers = contents.classes.reduce(0) { $0 + $1.answers }
        let kept = contents.classes.reduce(0) { $0 + $1.kept }
        return answers > 0 ? Double(kept) / Double(answers) : nil
    }

    /// How requests were made, in words.
    package var planText: String {
        if let plannedRate { return "\(Figure.rate(plannedRate)) planned" }
        return loops.map { Figure.count($0, "closed loop") } ?? "replayed at recorded times"
    }

    /// Whole and right answers a second.
    package var goodput: Double { seconds > 0 ? Double(total.good) / seconds : 0 }

    /// Answers that the cluster should not have given, each a sentence.
    package var wrongAnswers: [String] {
        contents.answers.differences.map { "wrong answer: \($0)" }
    }

    /// Why its figures cannot be trusted; empty if they can.
    package var complaints: [String] {
        let others = wrongAnswers + hopelessClasses + [emptiness].compactMap(\.self)
        // Without a part of its requests a measurement is none, whatever it is for.
        guard purpose == .figures || !contents.health.losses.isEmpty,
            let complaint = contents.health.complaint(closed: loops != nil)
        else { return others }
        let advice = contents.health.losses.isEmpty ? GeneratorHealth.advice : ""
        return others + [complaint + advice]
    }

    /// Classes of which no request ended well, each as a sentence; of rates that are too much, or
    /// were given up, nobody expects more.
    private var hopelessClasses: [String] {
        guard purpose == .figures || verdict == .holds else { return [] }
        return contents.classes.filter { $0.count > 0 && $0.good == 0 }.map { tally in
            let most = tally.outcomes.max { ($0.value, $1.key.title) < ($1.value, $0.key.title) }
            let requests = Figure.count(tally.count, "request")
            return "class \(tally.name) never succeeded in \(requests)"
                + (most.map { ", mostly \($0.key.title)" } ?? "")
        }
    }

    /// That nothing was asked, which says nothing of the cluster; nil where something was, and of
    /// rates that a search tried, which so did not hold.
    private var emptiness: String? {
        guard contents.classes.allSatisfy({ $0.count == 0 }), !isCutShort, purpose != .search,
            contents.health.losses.isEmpty
        else { return nil }
        return "no request was made: none fell into its time; give a longer --duration, or a "
            + "higher rate"
    }

    /// What an interrupt cut off, as a sentence; nil where nothing was under way.
    ///
    /// They may have waited for long: of a cluster that stands still there are all of them.
    package var cutOffText: String? {
        guard contents.cutOff > 0 else { return nil }
        return "\(Figure.count(contents.cutOff, "request")) under way when the load was "
            + "interrupted, without an answer and in no other figure"
    }

    /// How far the generator came with a rate that may be too much, or is on purpose.
    package var remarks: [String] {
        guard purpose != .figures, contents.health.losses.isEmpty else { return [] }
        return [contents.health.complaint(closed: loops != nil)].compactMap(\.self)
    }
}

extension LoadReport {
    /// Whether every measurement that counts can be trusted and no answer was wrong.
    package var isValid: Bool { complaints.isEmpty }

    /// Why the report cannot be trusted: measurement and reason.
    ///
    /// A rate at which the generator could not keep up did not hold, and overload is meant to hurt;
    /// both say so themselves.
    package var complaints: [(label: String, text: String)] {
        (interruption.map { [("the load", "\($0); this is what was measured until then")] } ?? [])
            + measurements.flatMap { measurement in
                measurement.complaints.map { (measurement.label, $0) }
            }
    }

    /// Whether the cluster gave an answer that it should not have.
    package var hasWrongAnswers: Bool {
        measurements.contains { !$0.contents.answers.differences.isEmpty }
    }
}
