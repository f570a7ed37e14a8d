import FresnelJSON
import FresnelModel

// A workload as a file (Documentation/load-testing.md, "Workload files"): one JSON object with a
// name and classes.

extension Workload {
    /// Reads a workload.
    ///
    /// - Parameters:
    ///   - read: Gives the lines of a file of recorded queries, by the name that the workload has.
    /// - Throws: `WorkloadError` naming the class and the key, with its line and a mark.
    package init(
        parsing bytes: [UInt8], name: String,
        reading read: (String) throws(WorkloadError) -> [String]
    ) throws(WorkloadError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw WorkloadError("the file", "\(error)")
                .marked(at: error.position?.offset, of: bytes)
        }
        do throws(WorkloadError) {
            try self.init(value, name: name, reading: read)
        } catch {
            throw error.marked(in: bytes)
        }
    }

    private init(
        _ value: JSONValue, name: String,
        reading read: (String) throws(WorkloadError) -> [String]
    ) throws(WorkloadError) {
        let file = try ObjectReader(value, place: "the file", knows: ["name", "classes"])
        var classes: [LoadClass] = []
        for (number, value) in (try file.array("classes") ?? []).enumerated() {
            let place = "classes[\(number)]"
            let kind = try LoadClass(value, place: place, reading: read)
            if let other = classes.first(where: { $0.name == kind.name }) {
                throw WorkloadError(
                    "\(place).name",
                    "\(other.place) is called \(kind.name) too; a report tells classes apart by "
                        + "their names")
            }
            classes.append(kind)
        }
        guard !classes.isEmpty else {
            throw WorkloadError("classes", "there is none; a workload asks something")
        }
        self.init(name: try file.text("name") ?? name, classes: classes)
    }
}

extension LoadClass {
    static let keys: Set<String> = [
        "name", "weight", "query", "queries", "typing", "pauseSeconds", "write", "limit",
        "delivery",
        "sort", "filters", "attributes", "deadlineSeconds", "indexes", "countOnly",
    ]

    /// Keys of a class that mean nothing without another one, and what they are for.
    private static let companions: [(key: String, needs: [String], words: String)] =
        [
            ("typing", ["query"], "classes with query"),
            ("pauseSeconds", ["typing"], "classes with typing"),
        ]
        + [
            "limit", "delivery", "sort", "filters", "attributes", "deadlineSeconds", "countOnly",
        ].map { ($0, ["query", "queries"], "classes that ask, and this one writes") }

    init(
        _ value: JSONValue, place: String,
        reading read: (String) throws(WorkloadError) -> [String]
    ) throws(WorkloadError) {
        let object = try ObjectReader(value, place: place, knows: Self.keys)
        let action = try Self.action(of: object, place: place, reading: read)
        for (key, needs, words) in Self.companions
        where object.has(key) && !needs.contains(where: object.has) {
            throw WorkloadError("\(place).\(key)", "is for \(words)")
        }
        let weight = try object.number("weight") ?? 1
        guard weight > 0 else { throw WorkloadError("\(place).weight", "must be above 0") }
        self.init(name: try object.text("name") ?? place, weight: weight, action: action)
        request = try Self.request(of: object, place: place)
        self.place = place
        guard writtenIndex != nil, request.indexes.count > 1 else { return }
        let names = request.indexes.map(\.text).joined(separator: ", ")
        throw WorkloadError(
            "\(place).indexes",
            "class \(name) writes, and names \(request.indexes.count) indexes (\(names)); "
                + "give one, and a class for each other")
    }

    /// What a line of a query log may have.
    static let recordedKeys: Set<String> = [
        "at", "query", "limit", "delivery", "sort", "filters", "attributes", "deadlineSeconds",
        "indexes", "countOnly",
    ]

    private static func action(
        of object: ObjectReader, place: String,
        reading read: (String) throws(WorkloadError) -> [String]
    ) throws(WorkloadError) -> Action {
        let what = ["query", "queries", "write"].filter { object.has($0) }
        guard what.count == 1 else {
            throw WorkloadError(
                place,
                "needs one of query, queries and write, and has "
                    + (what.isEmpty ? "none" : what.joined(separator: " and ")))
        }
        if let name = try object.text("queries") {
            let lines: [String]
            do throws(WorkloadError) {
                lines = try read(name)
            } catch {
                throw WorkloadError("\(place).queries", "\(error)")
            }
            guard let list = QueryList(file: name, lines: lines) else {
                throw WorkloadError("\(place).queries", "\(name) has no query")
            }
            return .log(list)
        }
        if let text = try object.text("write") {
            guard let write = Write(rawValue: text) else {
                throw WorkloadError("\(place).write", "must be index, engage or delete")
            }
            return .write(write)
        }
        let template = try template(object.text("query") ?? "", "\(place).query")
        guard let typed = try object.text("typing") else {
            guard !template.places.contains(.typed) else {
                throw WorkloadError("\(place).query", "{typed} is for classes with typing")
            }
            return .query(template)
        }
        guard template.places.contains(.typed) else {
            throw WorkloadError("\(place).query", "has no {typed}, and the class types")
        }
        return .typing(
            template, text: try Self.template(typed, "\(place).typing"),
            pauseSeconds: try object.number("pauseSeconds") ?? 0.15)
    }

    private static func template(
        _ text: String, _ place: String
    ) throws(WorkloadError) -> QueryTemplate {
        do throws(TemplateError) {
            return try QueryTemplate(parsing: text)
        } catch {
            throw WorkloadError(place, "\(error)")
        }
    }

    /// What a class says beside its query.
    static func request(
        of object: ObjectReader, place: String
    ) throws(WorkloadError) -> SearchRequest {
        var request = SearchRequest("")
        request.limit = try object.whole("limit") ?? Moment.pageSize
        request.isCountOnly = try object.bool("countOnly") ?? false
        request.filters = try object.texts("filters") ?? []
        request.attributes = try object.texts("attributes") ?? []
        if let seconds = try object.number("deadlineSeconds") {
            request.deadline = .seconds(seconds)
        }
        if let text = try object.text("delivery") {
            guard let delivery = Delivery(rawValue: text) else {
                throw WorkloadError("\(place).delivery", "must be found, settled or final")
            }
            request.delivery = delivery
        }
        let (sort, indexes) = (try object.texts("sort"), try object.texts("indexes"))
        do throws(SearchError) {
            for key in sort ?? [] { request.sort.append(try SortKey(parsing: key)) }
            for name in indexes ?? [] { request.indexes.append(try IndexName(name)) }
        } catch {
            throw WorkloadError(place, error.message)
        }
        return request
    }
}
