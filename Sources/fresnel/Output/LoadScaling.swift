import FresnelClient
import FresnelLoad
import FresnelModel
import FresnelSystem

/// Runs one plan against clusters that it starts, of several sizes, one after the other.
struct LoadScaling {
    let measuring: LoadMeasuring
    let wanted: LoadClusterOptions.Wanted

    private typealias Measured = (
        workers: Int, documents: UInt64, result: LoadMeasuring.Result
    )

    func report(objective: Objective?) async throws -> LoadReport {
        var report = try await measured(objective: objective)
        if let bounds = measuring.bounds(objective) { report.judge(by: bounds) }
        return report
    }

    private func measured(objective: Objective?) async throws -> LoadReport {
        let began = Timestamp(wallClock: SystemTime().unixSeconds())
        let (all, interruption) = try await clusters()
        let largest = all[all.count - 1]
        var setting = measuring.setting(largest.result, began: began, objective: objective)
        setting.endpoint = "a broker of the load's own"
        setting.shards = wanted.shards
        setting.keptAnswers = wanted.keptAnswers
        let script = wanted.script.map { script in
            script.faults.map { "at \(Figure.plain($0.seconds)) s \($0)" }
        }
        if let script { setting.plan += "; " + script.joined(separator: ", ") }
        guard wanted.workers.count * wanted.documents.count > 1 else {
            var report = LoadReport(
                setting: setting, measurements: largest.result.course.measurements,
                saturation: largest.result.course.saturation)
            report.interruption = interruption
            report.remarks =
                [
                    ScalingReport.sharing(workers: largest.workers, processors: setting.processors)
                ].compactMap(\.self) + largest.result.remarks
            return report
        }
        setting.plan += "; against clusters of \(Self.list(wanted.workers)) workers"
        setting.workers = all.map(\.workers).max() ?? 0
        setting.documents = all.map(\.documents).max() ?? 0
        var report = LoadReport(
            setting: setting, measurements: all.flatMap(measurements), saturation: nil)
        report.interruption = interruption
        report.remarks = largest.result.remarks
        // A size that was not measured to the end is no point of a curve.
        let points = all.filter { $0.result.interruption == nil }.map(point)
        guard !points.isEmpty else { return report }
        report.scaling = ScalingReport(
            points, measure: measure, processors: Machine.processorCount,
            seed: measuring.settings.seed)
        return report
    }

    /// Measures one cluster after the other, until one of them cannot be measured to the end.
    ///
    /// - Returns: what was measured, at least one, and why there is no more; nil if that is all.
    /// - Throws: what went wrong with the first one.
    private func clusters() async throws -> ([Measured], interruption: String?) {
        var all: [Measured] = []
        for documents in wanted.documents {
            for workers in wanted.workers {
                do {
                    all.append(try await measure(workers: workers, documents: documents))
                } catch {
                    guard !all.isEmpty else { throw error }
                    return (all, Task.isCancelled ? LoadInterrupt.word : "\(error)")
                }
                if let interruption = all.last?.result.interruption { return (all, interruption) }
            }
        }
        return (all, nil)
    }

    /// Starts a cluster, fills it and measures it.
    private func measure(workers: Int, documents: Int?) async throws -> Measured {
        Self.say("starting a cluster of \(Figure.count(workers, "worker"))", measuring.display)
        return try await LoadCluster.with(
            workers: workers, shards: wanted.shards, replicas: wanted.replicas,
            keptAnswers: wanted.keptAnswers
        ) { cluster, endpoint in
            let count = try await LoadDocuments(wanted).put(most: documents, into: endpoint)
            Self.say("\(count) documents are there", measuring.display)
            var measuring = measuring
            measuring.settings.cleansUp = false
            measuring.settings.overloads = wanted.workers.count * wanted.documents.count == 1
            measuring.settings.injection = wanted.script.map { script in
                FaultInjection(script) { fault in await cluster.perform(fault) }
            }
            var result = try await measuring.display.during {
                try await measuring.measure(endpoint) { cluster.memory() }
            }
            do throws(CommandError) {
                if result.interruption == nil { try cluster.checkAlive() }
            } catch {
                result.interruption = error.description
            }
            return (workers, UInt64(count), result)
        }
    }

    /// The measurements of one cluster, named after it.
    private func measurements(_ measured: Measured) -> [LoadReport.Measurement] {
        measured.result.course.measurements.map { measurement in
            var measurement = measurement
            let size = Figure.count(measured.workers, "worker")
            let documents = wanted.documents.count > 1 ? ", \(measured.documents) documents" : ""
            measurement.label = "\(size)\(documents): \(measurement.label)"
            return measurement
        }
    }

    private var measure: ScalingReport.Measure {
        switch measuring.plan {
        case .saturation: .saturation
        case .closed: .closedLoops
        case .open, .replay, .steps: .plannedRate
        }
    }

    /// What one cluster came to: at the highest rate that held, or in its last measurement.
    private func point(_ measured: Measured) -> ScalingReport.Point {
        let result = measured.result.course
        var figures = result.measurements.last
        if let saturation = result.saturation {
            // The rate of a measurement is what its plan comes to, nearly the same.
            figures =
                result.measurements.last {
                    $0.verdict == .holds && abs(($0.plannedRate ?? 0) / saturation - 1) < 1e-6
                } ?? figures
        }
        let throughput = measure == .saturation ? result.saturation : figures?.goodput
        return ScalingReport.Point(
            workers: measured.workers, documents: measured.documents, throughput: throughput,
            latency: figures?.total.completion ?? LatencySummary(),
            // What was measured while workers died says nothing about more of them.
            services: wanted.script == nil
                ? figures?.contents.services ?? ServiceSamples() : ServiceSamples(),
            isLimited: measure == .saturation
                && SearchLimit(result.saturation, of: result.measurements).isLimited)
    }

    private static func say(_ text: String, _ display: LoadDisplay) {
        if !display.isQuiet { Streams.complain(text) }
    }

    private static func list(_ numbers: [Int]) -> String {
        numbers.map(String.init).joined(separator: ", ")
    }
}
