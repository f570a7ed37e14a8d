import FresnelClient
import Testing

@testable import fresnel

extension Clusters {
    /// What is typed at the prompt of `fresnel search` comes back.
    @Suite("Prompt")
    struct PromptTests {
        @Test("A line comes back in its order, once, unless it begins with a blank or is no query")
        func lines() {
            var history = PromptHistory("a\n\na\nb\r\n\u{1B}[2Jc\n d\n# e\nf\u{202E}\n\u{1F34E}\na")
            #expect(history.queries == ["a", "\u{1F34E}", "a"])
            let kept = ["a", " secret", "", "#", String(repeating: "x", count: 16_385)]
                .map { history.add($0) }
            #expect(kept == [true, false, false, false, false] && history.queries.count == 3)
            // Two spellings of one text are two queries.
            for spelling in ["\u{E9}", "e\u{301}"] { history.add(spelling) }
            #expect(history.queries.count == 5)
            #expect(PromptHistory(history.text) == history)
            for number in 0..<PromptHistory.lines { history.add("rating == \(number)") }
            #expect(history.queries.count == PromptHistory.lines)
            #expect(history.queries.first == "rating == 0")
        }

        @Test("On a terminal the line can be edited, and the last one comes back in the next run")
        func nextRun() async throws {
            try await LiveCluster.withClient { cluster, client in
                try await client.index().index(Samples.documents(0..<3))
                // What is typed waits for the prompt: before it Ctrl-C, Ctrl-P and Ctrl-D are the
                // terminal driver's.
                let script = """
                    export TERM=xterm XDG_STATE_HOME=$PWD/state
                    prompts() { until [ "$(grep -o 'fresnel> ' out 2>/dev/null | wc -l)" -ge $1 ]; \
                    do :; done; }
                    run() {
                        rm -f in out; mkfifo in; exec 3<>in
                        script -qefc "stty cols 200; $2 fresnel search --json" out \
                        < in > /dev/null 3>&- &
                        prompts 1; printf "$1" >&3; until grep -q '"completion"' out; \
                        do :; done; prompts 2; printf '\\004' >&3
                        wait $!; echo "code $?: $(grep -c '"uniqueIdentifier"' out)"
                    }
                    run 'rating >= 000\\177\\r'
                    run '\\020\\r'
                    run '\\022ting\\r' LC_ALL=C
                    stat -c '%a' state/fresnel/history state/fresnel; cat state/fresnel/history
                    rm state/fresnel/history
                    run ' rating >= 0\\r'
                    mkdir -p state/fresnel/history
                    run 'rating >= 0\\r' TERM=dumb
                    run 'rating >= 0\\r' 'env -u TERM -u HOME -u XDG_STATE_HOME'
                    ls state/fresnel
                    """
                try await TemporaryDirectory.with { directory in
                    let run = try await Program.shell(
                        "cd \(directory.path) && { \(script)\n}", broker: cluster.endpoint)
                    let answer = "code 0: 3"
                    #expect(
                        run.lines == [
                            answer, answer, answer, "600", "700", "rating >= 00", answer, answer,
                            answer, "history",
                        ], "\(run.output)\(run.errors)")
                }
            }
        }
    }
}
