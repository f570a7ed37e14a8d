import FresnelLoad
import Testing

@Suite("Scripts of faults")
struct FaultScriptTests {
    private func script(_ text: String) throws(FaultScriptError) -> FaultScript {
        try FaultScript(parsing: text, workers: 3, seconds: 60)
    }

    @Test("Faults are read with their times, and come in the order of these")
    func reads() throws {
        let faults = try script(
            "at 30s start worker-2;at 20s kill worker-2 ; at 500ms stop broker; at 1m "
                + "continue broker;"
        ).faults
        #expect(
            faults.map { "\($0.seconds) \($0)" } == [
                "0.5 stop broker", "20.0 kill worker-2", "30.0 start worker-2",
                "60.0 continue broker",
            ])
    }

    @Test(
        "What cannot be read or done is refused at its place",
        arguments: [
            ("", 1), ("in 2s kill broker", 1), ("at soon kill broker", 4), ("at 2s", 6),
            ("at 2s burn broker", 7), ("at 2s kill worker", 12), ("at 2s kill worker-4", 12),
            ("at 2s kill worker-0", 12), ("at 61s kill broker", 4), ("at -1s kill broker", 4),
            ("at nans kill broker", 4), ("at 2s kill broker at 3s start broker", 19),
            ("at 2s kill broker;; at 3s start broker", 19), ("at 2s start broker", 7),
            ("at 2s continue broker", 7), ("at 2s kill broker; at 3s kill broker", 26),
            ("at 2s stop broker; at 3s start broker", 26),
            ("at 3s start broker; at 2s stop broker; at 4s kill broker", 7),
            ("at 2s kill broker; at 1s start broker", 26),
        ])
    func refuses(text: String, column: Int) {
        let error = #expect(throws: FaultScriptError.self) { try script(text) }
        #expect(error?.column == column, "\(String(describing: error))")
    }

    @Test("A worker that is not there is told with the number of those that are")
    func strangers() {
        for (workers, words) in [(1, "there is 1 worker only"), (3, "there are 3 workers only")] {
            let error = #expect(throws: FaultScriptError.self) {
                try FaultScript(parsing: "at 2s kill worker-4", workers: workers, seconds: 60)
            }
            #expect("\(error.map(\.description) ?? "")".contains(words))
        }
    }

    @Test("No script is longer than its limit")
    func long() {
        let text = (0...FaultScript.faultsMost).map {
            "at \($0)ms \($0 % 2 == 0 ? "stop" : "continue") broker"
        }
        #expect(throws: FaultScriptError.self) { try script(text.joined(separator: ";")) }
        #expect(throws: Never.self) {
            try script(text.dropLast().joined(separator: ";"))
        }
    }
}
