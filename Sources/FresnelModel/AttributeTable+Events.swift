extension AttributeTable {
    /// When things happen.
    static let events: [AttributeDefinition] = [
        row("startDate", .date),
        row("endDate", .date),
        row("dueDate", .date),
        row("completionDate", .date),
        row("importantDates", .dates),
        row("allDay", .boolean),
    ]
}
