/// Charts of clusters of several sizes, as the page draws them.
enum ScalingCharts {
    /// Follows the script of ``ReportTemplate`` and uses what that has defined.
    static let script = #"""

        // Throughput and latency over workers and documents, with the law that was fitted.
        const scaling = report.scaling;
        if (scaling) {
          const by = (key, other) => Object.entries(Object.groupBy(scaling.points, p => p[other]))
            .map(([value, points]) => [value, points.sort((a, b) => a[key] - b[key])]);
          const named = (value, unit) => (+value).toLocaleString("en") + " " + unit;
          const measured = by("workers", "documents");
          const most = Math.max(...scaling.points.map(point => point.workers));
          const whole = {ticks: {precision: 0}, title: text("workers"), min: 0,
            max: Math.ceil(most * 1.25)};
          const curve = law => Array.from({length: 60}, (_, i) => 1 + i * (most * 1.25 - 1) / 59)
            .map(n => ({x: n, y: law.single * n / (1 + law.contention * (n - 1)
              + law.coherency * n * (n - 1))}));
          new Chart("throughput", {type: "scatter", options: {
            plugins: {title: text("throughput over workers")},
            scales: {x: whole, y: {min: 0, title: text("requests a second")}}},
            data: {datasets: [...measured.map(([documents, points], i) => line(
                named(documents, "documents"), points.filter(p => p.throughput !== null)
                  .map(p => ({x: p.workers, y: p.throughput})), colours[i], {pointRadius: 4})),
              ...scaling.laws.map(law => line("law, " + named(law.documents, "documents"),
                curve(law), colours[measured.findIndex(m => +m[0] == law.documents)],
                {showLine: true, pointRadius: 0, borderDash: [5, 4]}))]}});
          const latencies = (groups, key, unit) => groups.flatMap(([value, points], i) =>
            ["p50", "p99"].map((p, j) => line(p + ", " + named(value, unit),
              points.filter(point => point[p] !== null)
                .map(point => ({x: point[key], y: point[p]})), colours[i],
              {showLine: true, pointRadius: 4, borderDash: j == 0 ? [5, 4] : []})));
          new Chart("sizes", {type: "scatter", options: {
            plugins: {title: text("latency over workers")}, scales: {x: whole, y: latencyAxis}},
            data: {datasets: latencies(measured, "workers", "documents")}});
          const sizes = by("documents", "workers");
          if (measured.length < 2) document.getElementById("documents-box").remove();
          else new Chart("documents", {type: "scatter", options: {
            plugins: {title: text("throughput over documents")},
            scales: {x: {min: 0, title: text("documents")}, y: {min: 0,
              title: text("requests a second")}}},
            data: {datasets: sizes.map(([workers, points], i) => line(named(workers, "workers"),
              points.filter(p => p.throughput !== null)
                .map(p => ({x: p.documents, y: p.throughput})), colours[i],
              {showLine: true, pointRadius: 4}))}});
          const simulated = scaling.simulation;
          if (!simulated) document.getElementById("simulation-box").remove();
          else new Chart("simulation", {type: "scatter", options: {
            plugins: {title: text("SIMULATION, not measured: latency of more workers")},
            scales: {x: {type: "logarithmic", title: text("workers, simulated"),
                afterBuildTicks: axis => axis.ticks = simulated.points
                  .map(point => ({value: point.workers})), ticks: {callback: n => n}},
              y: latencyAxis}},
            data: {datasets: ["p50", "p99"].map((p, i) => line(p + ", simulated",
              simulated.points.map(point => ({x: point.workers, y: point[p]})), colours[i + 3],
              {showLine: true, borderDash: [2, 3]}))}});
        }
        """#
}
