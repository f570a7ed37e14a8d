import ArgumentParser
import FresnelLoad
import FresnelModel

/// When requests of a load are sent: one of several ways.
struct LoadRateOptions: ParsableArguments {
    @Option(help: "Requests a second, all the time (default: 100).")
    var rate: Double?

    @Option(help: ArgumentHelp("From one rate to another.", valueName: "a-b"))
    var ramp: String?

    @Option(help: ArgumentHelp("One rate after the other.", valueName: "a,b,c"))
    var steps: String?

    @Option(help: "So many clients that ask again when they are answered; only for comparison.")
    var clients: Int?

    @Flag(help: "Find the highest rate that holds --slo, then overload the cluster.")
    var saturate = false

    @Option(
        help: """
            What has to hold: p99<50ms, p99.9<1s, errors<0.5%, parted by commas (with --saturate \
            default: p99<50ms). At most 1 % may go wrong where errors are not named.
            """)
    var slo: String?

    @Option(help: "poisson (as from many people) or constant (default: poisson).")
    var spacing: String?

    @Option(help: "How long; with --steps and --saturate each rate (default: 30s, 10s).")
    var duration: String?

    /// The plan.
    ///
    /// - Parameter replayed: the times that `--replay` names; nil without it.
    func plan(replaying replayed: [Int64]?) throws -> LoadPlan {
        let ways = [
            ("--rate", rate != nil), ("--ramp", ramp != nil), ("--steps", steps != nil),
            ("--clients", clients != nil), ("--replay", replayed != nil), ("--saturate", saturate),
        ].filter(\.1).map(\.0)
        guard ways.count <= 1 else {
            throw CommandError.usage("\(ways.joined(separator: " and ")) contradict each other")
        }
        let spacing = try arrivalSpacing(of: ways.first)
        let seconds = try self.seconds()
        if let steps {
            return .steps(
                try numbers(steps, parted: ",", "--steps"), secondsEach: seconds, spacing)
        }
        if let ramp {
            let ends = try numbers(ramp, parted: "-", "--ramp")
            guard ends.count == 2 else {
                throw CommandError.usage("--ramp takes two rates such as 10-500, not \"\(ramp)\"")
            }
            return .open(.ramp(from: ends[0], to: ends[1], seconds: seconds), spacing)
        }
        if let replayed { return .replay(replayed) }
        if let clients {
            guard (1...10_000).contains(clients) else {
                throw CommandError.usage("--clients must lie in 1...10000, not \(clients)")
            }
            return .closed(loops: clients, seconds: seconds)
        }
        if saturate {
            return .saturation(
                try objective() ?? Objective([.latency(percentile: 99, microseconds: 50_000)]),
                secondsEach: seconds, spacing)
        }
        return .open(.constant(try checked(rate ?? 100, "--rate"), seconds: seconds), spacing)
    }

    /// How planned requests lie; clients and recorded times have their own.
    private func arrivalSpacing(of way: String?) throws -> ArrivalSchedule.Spacing {
        guard let spacing else { return .poisson }
        guard let known = ArrivalSchedule.Spacing(rawValue: spacing) else {
            throw CommandError.usage("--spacing must be poisson or constant, not \"\(spacing)\"")
        }
        if let way, ["--clients", "--replay"].contains(way) {
            throw CommandError.usage("\(way) and --spacing contradict each other")
        }
        return known
    }

    /// What has to hold; nil if nothing was said.
    func objective() throws -> Objective? {
        guard let slo else { return nil }
        do throws(ObjectiveError) {
            return try Objective(parsing: slo)
        } catch {
            throw CommandError.usage("--slo: \(error)")
        }
    }

    private func seconds() throws -> Double {
        let isStepped = steps != nil || saturate
        let text = duration ?? (isStepped ? "10s" : "30s")
        let seconds = try DurationText.parse(text, flag: "--duration").inSeconds
        guard (1...86_400).contains(seconds) else {
            throw CommandError.usage("--duration must lie in 1s...24h, not \(text)")
        }
        return seconds
    }

    private func checked(_ rate: Double, _ flag: String) throws -> Double {
        guard rate > 0, rate <= 1_000_000 else {
            throw CommandError.usage("\(flag) must lie in 0...1000000 and above 0, not \(rate)")
        }
        return rate
    }

    private func numbers(
        _ text: String, parted separator: Character, _ flag: String
    ) throws -> [Double] {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        return try parts.enumerated().map { number, part in
            guard let rate = Double(part) else {
                let what = part.isEmpty ? "nothing" : "\"\(part)\""
                let column = text.distance(from: text.startIndex, to: part.startIndex) + 1
                throw CommandError.usage(
                    "\(flag) \(text): rate \(number + 1) (column \(column)) is \(what); write "
                        + "numbers parted by \"\(separator)\"")
            }
            return try checked(rate, flag)
        }
    }
}
