/// What a worker's protocol engine counts.
package struct WorkerCounters: Hashable, Sendable {
    /// Messages that made no sense.
    package var unreadableMessages: UInt64 = 0
    /// Messages refused because they named an older epoch than is known here.
    package var staleMessages: UInt64 = 0
    /// Orders of a broker of another cluster, which were not carried out.
    package var strangersOrders: UInt64 = 0
    /// Searches refused because too many were running.
    package var shedTasks: UInt64 = 0
    /// Segments in which a filter query's documents were known already, over all searches.
    package var knownFilters: UInt64 = 0

    package init() {}
}
