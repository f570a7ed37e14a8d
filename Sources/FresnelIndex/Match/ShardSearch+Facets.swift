import FresnelModel
import FresnelWire

// Facets: what each segment gave is counted by values beside the search, and listed at its end.

extension ShardSearch {
    /// Counts what a segment gave by values; when the search is stopped in it, its hits stand.
    func countValues(
        of found: DocumentSet?, in segment: Segment, _ target: SearchTarget,
        _ report: inout SearchedShard,
        _ total: inout Found
    ) throws(SearchStop) {
        guard let found, !plan.facets.isEmpty else { return }
        let started = control.now
        defer { report.matchMicroseconds += control.now.microseconds(since: started) }
        do throws(SearchStop) {
            let parts = try facets(of: found, in: segment, target)
            for (number, part) in parts.enumerated() {
                try total.facets[number].add(part, control)
            }
        } catch {
            total.lacksFacets = true
            throw error
        }
    }

    /// The lists of all facets; none when the search was stopped while it counted values, and then
    /// no shard is complete.
    func lists(
        of found: Found, _ shards: inout [SearchedShard]
    ) -> [WireFacetCounts] {
        guard !plan.facets.isEmpty else { return [] }
        let started = control.now
        defer {
            if !shards.isEmpty {
                shards[0].matchMicroseconds += control.now.microseconds(since: started)
            }
        }
        guard !found.lacksFacets else { return [] }
        var lists: [WireFacetCounts] = []
        do throws(SearchStop) {
            for tally in found.facets {
                lists.append(try tally.listing(within: facetBytes, control))
            }
            return lists.fitted(to: facetBytes)
        } catch {
            for number in shards.indices where shards[number].status == .complete {
                shards[number].status = error == .deadline ? .deadline : .cancelled
            }
            return []
        }
    }

    private func facets(
        of found: DocumentSet, in segment: Segment, _ target: SearchTarget
    ) throws(SearchStop) -> [FacetTally.Part] {
        var parts: [FacetTally.Part] = []
        for field in plan.facets {
            var counter = SegmentFacetCounter(
                field, in: segment, indexName: target.indexName, control: control)
            parts.append(try counter.count(found))
        }
        return parts
    }
}
