/// The page of a report as a Mustache template.
enum ReportTemplate {
    static let page = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Load: {{title}}</title>
        <style>
        :root { color-scheme: light; --ink: #1c2430; --soft: #5c6675; --line: #dde2e9;
          --paper: #fff; --good: #dff3e4; --good-ink: #14622b; --bad: #fde2e0; --bad-ink: #8f1d14;
          --open: #fdefd0; --open-ink: #7a4b00; }
        @media screen and (prefers-color-scheme: dark) {
          :root { color-scheme: dark; --ink: #e4e8ee; --soft: #9aa5b4; --line: #333c48;
            --paper: #14181e; --good: #14391f; --good-ink: #a6e3b5; --bad: #4a1914;
            --bad-ink: #ffb8b0; --open: #40300a; --open-ink: #f4d58a; } }
        body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
          margin: 2rem auto; max-width: 72rem; padding: 0 1.5rem; }
        .lead { font-size: 1.15rem; max-width: 52rem; margin: .4rem 0 .8rem; }
        h1 { font-size: 1.6rem; margin-bottom: .3rem; }
        h2 { font-size: 1.2rem; margin-top: 2.5rem; border-top: 1px solid var(--line);
          padding-top: 1.2rem; }
        details { border-top: 1px solid var(--line); margin-top: 1.2rem; padding-top: .8rem; }
        summary { cursor: pointer; }
        summary h2 { display: inline; border: none; }
        h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block;
          max-width: 100%; overflow-x: auto; }
        td, th { padding: .25rem .9rem .25rem 0; text-align: right; white-space: nowrap; }
        td:first-child, th:first-child { text-align: left; }
        th { color: var(--soft); font-weight: 500; border-bottom: 1px solid var(--line); }
        .setting td { text-align: left; white-space: normal; }
        .setting td:first-child { color: var(--soft); vertical-align: top; }
        .valid, .invalid, .held, .missed, .unknown { display: inline-block; padding: .1rem .7rem;
          border-radius: 1rem;
          font-weight: 600; }
        .valid, .held { background: var(--good); color: var(--good-ink); }
        .invalid, .missed { background: var(--bad); color: var(--bad-ink); }
        .unknown { background: var(--open); color: var(--open-ink); }
        .headline { display: flex; flex-wrap: wrap; gap: .8rem 2.6rem; margin: 1rem 0 1.4rem; }
        .headline div { color: var(--soft); max-width: 14rem; }
        .headline strong { display: block; color: var(--ink); font-size: 1.5rem;
          font-variant-numeric: tabular-nums; }
        .charts { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
          gap: 1.5rem; }
        .charts > div { position: relative; height: 19rem; }
        .wide { grid-column: 1 / -1; }
        .note { color: var(--soft); max-width: 60rem; }
        @media (max-width: 60rem) { .charts { grid-template-columns: minmax(0, 1fr); } }
        @media (max-width: 30rem) { body { margin: 1rem auto; padding: 0 .8rem; }
          h1 { font-size: 1.3rem; } .lead { font-size: 1.05rem; }
          .headline { gap: .6rem 1.4rem; } .headline strong { font-size: 1.2rem; }
          h1, h2, p, .setting td + td { overflow-wrap: anywhere; }
          td, th { padding-right: .7rem; } }
        @media print { .charts > div { break-inside: avoid; } }
        </style>
        </head>
        <body>
        <h1>{{title}}</h1>
        <p class="lead">{{sentence}}</p>
        <p><span class="{{verdict}}">{{verdict}}</span>
        {{#standing}}<span class="{{mark}}">{{text}}</span>{{/standing}}</p>
        <div class="headline">
        {{#headline}}<div><strong>{{value}}</strong>{{name}}</div>{{/headline}}
        </div>
        {{#complaints}}<p class="invalid">{{label}}: {{text}}</p>{{/complaints}}
        {{#warnings}}<p class="unknown">{{.}}</p>{{/warnings}}
        {{#remarks}}<p class="note">{{.}}</p>{{/remarks}}
        <table class="setting">
        {{#setting}}<tr><td>{{name}}</td><td>{{value}}</td></tr>{{/setting}}
        </table>
        <p class="note">{{#closed}}Closed loops ask again when they have their answer: they wait for
        the system, so a stall is felt by few requests. Their latencies are for comparison only.
        {{/closed}}{{^closed}}Latencies count from the time at which a request was planned, not from
        when it could be sent: a stall is felt by everybody who would have asked meanwhile.
        {{/closed}}Good answers a second are those of the planned time, or until the last good one
        where that came later. <em>First
        item</em>, <em>settled page</em> (ten hits that will not move) and <em>last item</em> are
        of answers that have hits.</p>
        {{#scaling}}
        <h2>Scaling: {{measure}}</h2>
        {{#remarks}}<p class="note">{{.}}</p>{{/remarks}}
        <div class="charts">
        <div><canvas id="throughput"></canvas></div>
        <div><canvas id="sizes"></canvas></div>
        <div id="documents-box"><canvas id="documents"></canvas></div>
        <div id="simulation-box"><canvas id="simulation"></canvas></div>
        </div>
        <table><tr><th>workers</th><th>documents</th><th>throughput</th><th>p50</th><th>p99</th>
        </tr>{{#points}}<tr><td>{{workers}}</td><td>{{documents}}</td><td>{{throughput}}</td>
        <td>{{p50}}</td><td>{{p99}}</td></tr>{{/points}}</table>
        {{#laws}}<p>Universal scalability law of {{documents}} documents: {{text}}.</p>{{/laws}}
        {{#simulation}}<p class="note">{{text}}.</p>{{/simulation}}
        <h2>Measurements</h2>
        {{/scaling}}
        <div class="charts">
        <div class="wide" id="rates-box"><canvas id="rates"></canvas></div>
        <div><canvas id="spectrum"></canvas></div>
        <div><canvas id="timeline"></canvas></div>
        <div class="wide" id="completeness-box"><canvas id="completeness"></canvas></div>
        </div>
        {{#measurements}}
        <details{{#open}} open{{/open}}><summary><h2>{{label}}: {{planned}}, {{goodput}} good,
        {{failures}} failed{{#judged}}; {{.}}{{/judged}}</h2></summary>
        <h3>Moments</h3>
        <table><tr><th></th><th>answers</th><th>p50</th><th>p90</th><th>p99</th><th>p99.9</th>
        <th>max</th></tr>
        {{#moments}}<tr><td>{{name}}</td><td>{{count}}</td><td>{{p50}}</td><td>{{p90}}</td>
        <td>{{p99}}</td><td>{{p999}}</td><td>{{max}}</td></tr>{{/moments}}
        </table>
        <h3>Classes, from plan to completion</h3>
        <table><tr><th></th><th>requests</th><th>failed</th><th>kept</th><th>found, mean</th>
        <th>p50</th><th>p90</th><th>p99</th><th>p99.9</th><th>max</th><th>the others</th></tr>
        {{#classes}}<tr><td>{{name}}</td><td>{{requests}}</td><td>{{failures}}</td>
        <td>{{kept}}</td><td>{{found}}</td><td>{{p50}}</td><td>{{p90}}</td><td>{{p99}}</td>
        <td>{{p999}}</td><td>{{max}}</td><td>{{others}}</td></tr>{{/classes}}
        </table>
        <h3>How requests ended</h3>
        <table>{{#outcomes}}<tr><td>{{name}}</td><td>{{count}}</td></tr>{{/outcomes}}
        {{#shards}}<tr><td>shard {{name}}</td><td>{{count}}</td></tr>{{/shards}}</table>
        {{#places}}<h3>Shards</h3>
        <table><tr><th></th><th>worker</th><th>documents</th><th>whole</th><th>missing</th>
        <th>queue p50</th><th>queue p99</th><th>search p50</th><th>search p99</th></tr>
        {{#rows}}<tr><td>{{name}}</td><td>{{worker}}</td><td>{{documents}}</td><td>{{whole}}</td>
        <td>{{missing}}</td><td>{{queue50}}</td><td>{{queue99}}</td><td>{{search50}}</td>
        <td>{{search99}}</td></tr>{{/rows}}</table>{{/places}}
        {{#memory}}<h3>Memory</h3>
        <table><tr><th></th><th>at the beginning</th><th>at most</th><th>at the end</th></tr>
        {{#rows}}<tr><td>{{name}}</td><td>{{first}}</td><td>{{most}}</td><td>{{last}}</td></tr>
        {{/rows}}</table>{{/memory}}
        {{#notes}}<p class="note">{{.}}</p>{{/notes}}
        {{#happened}}<h3>Events</h3>
        <table><tr><th></th><th>at</th><th></th></tr>{{#rows}}<tr><td>{{text}}</td><td>{{name}}</td>
        <td>{{who}}</td></tr>{{/rows}}</table>{{/happened}}
        <p class="note">{{health}} {{compared}} compared with an earlier one to
        the same question at the same snapshot, {{matched}} hit by hit with the reference
        matcher.</p></details>
        {{/measurements}}
        <script>{{{library}}}</script>
        <script type="application/json" id="data">{{{data}}}</script>
        <script>
        """# + script + ScalingCharts.script + #"""

            </script>
            </body>
            </html>

            """#

    /// Draws the charts from the report's JSON.
    private static let script = #"""
        const report = JSON.parse(document.getElementById("data").textContent);
        const isDark = matchMedia("screen and (prefers-color-scheme: dark)").matches;
        const runs = report.measurements, colours = isDark
          ? ["#6ea8e8", "#f0955c", "#66c596", "#b892ff", "#f0708f", "#9aa5b4", "#4fc3cf", "#d8b544"]
          : ["#2563a8", "#c2571a", "#2f855a", "#8a3ffc", "#b3123f", "#5c6675", "#00838f",
            "#9c7a00"];
        const page = getComputedStyle(document.documentElement);
        const css = name => page.getPropertyValue(name).trim();
        Chart.defaults.color = css("--soft");
        Chart.defaults.borderColor = css("--line");
        const time = us => us < 1000 ? us + " µs" : us < 1e6 ? +(us / 1e3).toPrecision(3) + " ms"
          : +(us / 1e6).toPrecision(3) + " s";
        const text = words => ({display: true, text: words});
        const latencyAxis = {type: "logarithmic", title: text("latency"),
          ticks: {callback: us => /^[125]0*$/.test(String(us)) ? time(us) : null}};
        Chart.defaults.animation = false;
        Chart.defaults.maintainAspectRatio = false;
        Object.assign(Chart.defaults.plugins.legend.labels, {boxWidth: 26, boxHeight: 1});
        Chart.defaults.font.family = "system-ui, sans-serif";
        const line = (label, points, colour, more) => ({label, data: points, borderColor: colour,
          backgroundColor: colour, borderWidth: 1.8, pointRadius: points.length > 40 ? 0 : 2.5,
          ...more});

        // Latency over the rate that was planned, of one cluster.
        // Of a rate that was tried twice the second try counts; recovery is of what came before it.
        const rated = [...new Map(runs.filter(run => run.plannedRate && run.label != "recovery"
            && run.total.moments.completion).map(run => [run.plannedRate, run])).values()]
          .sort((a, b) => a.plannedRate - b.plannedRate);
        const rates = new Set(rated.map(run => run.plannedRate)).size;
        if (report.scaling || rates < 2) document.getElementById("rates-box").remove();
        else new Chart("rates", {type: "scatter", options: {
          plugins: {title: text("latency and goodput over planned rate")},
          scales: {x: {title: text("planned requests a second"), min: 0}, y: latencyAxis,
            goodput: {position: "right", min: 0, title: text("good answers a second"),
              grid: {drawOnChartArea: false}}}},
          data: {datasets: [...["p50", "p90", "p99", "p99.9"].filter(p => rated.some(
              run => run.total.moments.completion[p] !== null)).map((p, i) => line(p,
              rated.map(run => ({x: run.plannedRate, y: run.total.moments.completion[p]})),
              colours[i], {showLine: true})),
            line("good answers a second", rated.map(run => ({x: run.plannedRate, y: run.goodput})),
              colours[5], {showLine: true, yAxisID: "goodput", borderDash: [5, 4]})]}});

        // The percentile spectrum: every nine is as wide as the one before.
        const spectrum = recorded => {
          const total = recorded.reduce((sum, pair) => sum + pair[1], 0);
          let seen = 0;
          return recorded.map(([us, count]) => {
            seen += count;
            return {x: 1 / Math.max(1 - (seen - count / 2) / total, 0.5 / total), y: us};
          });
        };
        // Of a search the rates that held, of clusters of several sizes the highest of each; the
        // last of too many, among them overload.
        const cluster = run => report.scaling ? run.label.split(": ")[0] : run.label;
        const held = runs.filter(run => run.purpose == "search" && run.verdict == "holds");
        const highest = new Map(held.map(run => [cluster(run), run]));
        for (const run of held) {
          const name = cluster(run);
          if (run.plannedRate > highest.get(name).plannedRate) highest.set(name, run);
        }
        const shown = runs.filter(run => run.total.moments.completion && (run.purpose != "search"
          || [...highest.values()].includes(run))).slice(-colours.length);
        new Chart("spectrum", {type: "scatter", options: {
          plugins: {title: text("percentile spectrum"), legend: {display: shown.length > 1}},
          scales: {x: {type: "logarithmic", min: 1, title: text("percentile"),
              ticks: {callback: x => /^10*$/.test(String(x))
                ? +(100 - 100 / x).toFixed(4) + " %" : x == 2 ? "50 %" : null}}, y: latencyAxis}},
          data: {datasets: shown.map((run, i) => line(run.label,
            spectrum(run.total.moments.completion.recorded), colours[i],
            {showLine: true, pointRadius: 0}))}});

        // Over time: what was done to the cluster, or the worst that was asked of it.
        const main = runs.find(run => run.timeline.events.length)
          ?? runs.findLast(run => run.purpose == "overload") ?? shown.at(-1) ?? runs[0];
        const at = i => i * main.timeline.stepSeconds;
        const steps = main.timeline.steps.map((step, i) => ({...step, x: at(i)}));
        // The last stretch may be a part of one; a very short one tells no rate.
        const lasting = steps.filter(s => s.seconds >= main.timeline.stepSeconds / 5);
        const happened = {display: main.timeline.events.length > 0,
          text: main.timeline.events.map(e => e.seconds.toFixed(0) + " s " + e.text).join(" · ")};
        const marks = axis => [["by the load", main.timeline.events, css("--ink"), "triangle", 7],
            ["by the cluster", main.timeline.observed, css("--soft"), "rectRot", 5]]
          .filter(([label, events]) => events.length > 0)
          .map(([label, events, colour, pointStyle, pointRadius]) => line(label,
            events.map(e => ({x: e.seconds, y: 0, text: e.text})), colour,
            {yAxisID: axis, pointStyle, pointRadius, showLine: false}));
        const told = {callbacks: {label: item => item.raw.text
          ? +item.raw.x.toFixed(1) + " s: " + item.raw.text
          : item.dataset.label + ": " + item.formattedValue}};
        new Chart("timeline", {type: "scatter", options: {
          plugins: {title: text("over time: " + main.label), subtitle: happened, tooltip: told},
          scales: {x: {title: text("seconds"), min: 0}, y: latencyAxis,
            rate: {position: "right", min: 0, title: text("requests a second"),
              grid: {drawOnChartArea: false}}}},
          data: {datasets: [
            ...["p50", "p90", "max"].map((p, i) => line(p,
              lasting.map(s => ({x: s.x, y: s.good ? s[p] : null})), colours[i],
              {showLine: true, spanGaps: false})),
            line("good a second", lasting.map(s => ({x: s.x, y: s.good / s.seconds})),
              colours[5], {showLine: true, yAxisID: "rate", borderDash: [5, 4]}),
            line("failed a second", lasting.map(s => ({x: s.x, y: s.failed / s.seconds})),
              colours[4], {showLine: true, yAxisID: "rate"}),
            ...!main.cutOff ? [] : [line("under way at the interrupt, a second",
              lasting.map(s => ({x: s.x, y: s.cutOff / s.seconds})), colours[3],
              {showLine: true, yAxisID: "rate"})],
            ...marks("rate")]}});

        // Which part of the answers was whole, where some were not or something was done.
        const wrong = steps.some(step => step.failed > 0);
        if (!wrong && main.timeline.events.length == 0 && main.timeline.observed.length == 0) {
          document.getElementById("completeness-box").remove();
        } else {
          const judged = steps.filter(step => step.good + step.failed > 0);
          // A stretch goes on to its end, also the last.
          const last = judged.at(-1);
          if (last) judged.push({...last, x: last.x + (last.seconds || main.timeline.stepSeconds)});
          const share = (label, colour, count) => line(label, judged.map(step => ({x: step.x,
            y: 100 * count(step) / (step.good + step.failed)})), colour, {showLine: true,
            fill: label == "whole" ? "origin" : "-1", stack: "answers", pointRadius: 0,
            stepped: true, backgroundColor: colour + "55"});
          new Chart("completeness", {type: "line", options: {
            plugins: {title: text("completeness of answers over time: " + main.label), subtitle:
              happened, tooltip: told},
            scales: {x: {type: "linear", title: text("seconds"), min: 0},
              y: {stacked: true, min: 0, max: 100, title: text("% of answers")},
              mark: {axis: "y", display: false, min: 0, max: 1}}},
            data: {datasets: [share("whole", colours[2], step => step.good),
              share("incomplete", colours[1], step => step.incomplete),
              share("failed", colours[4], step => step.failed - step.incomplete),
              ...marks("mark")]}});
        }
        """#
}
