extension Rule {
    static let texts = [textKeys]

    /// Texts of users and of the wire are bytes; `Set` and `Dictionary` of `String` compare them
    /// by canonical equivalence, so that two identifiers, names or values become one.
    private static let textKeys = code(
        "text keys", about: ["String", "Set"],
        in: { file in
            file.path.hasPrefix("Sources/") && !roomsWithoutTexts.contains(file.room)
                && !file.isExcused
        }
    ) {
        let key = (/\[+String\]* ?: |\b(Set|Dictionary)<\[?String\b/).inCode
        let made = (/\bSet\(\w+\.map\(\\\.(uniqueIdentifier|domainIdentifier|text|name|value)\)/)
            .inCode
        return { code in
            code.contains(key) || code.contains(made)
                ? """
                texts as keys, which Swift compares by canonical equivalence, use ExactText or \
                [UInt8]; where they can only be ASCII, name the file and the reason in \
                Tests/TidyTests/Rule+Texts.swift
                """ : nil
        }
    }

    /// Rooms that see no text of a document: measuring, sockets, disks, object stores.
    private static let roomsWithoutTexts: Set<String> = [
        "FresnelLoad", "FresnelSystem", "FresnelS3", "ZeroMQ",
    ]

    /// Why the keys of a file cannot be two spellings of one text, or why that harms nothing.
    fileprivate static let excuses: [String: String] = [
        // Names that are checked: 1...64 of a-z 0-9 . _ -
        "BrokerCore": indexNames, "BrokerCore+WritePause": indexNames, "Plan+Cursor": indexNames,
        "Cursor": indexNames, "LiveTail": indexNames, "TailTable": indexNames,
        "LiveTail+Rounds": indexNames, "BrokerCore+Follow": indexNames,
        "SnapshotManifest+Coding": indexNames, "UnsavedStates": indexNames,
        "WriteTable": indexNames, "PlacementPlan": indexNames, "SnapshotRestore": indexNames,
        "RepeatedAnswers": indexNames, "UnknownReplicas": indexNames,
        "UnknownReplicas+Adoption": indexNames, "IndexCatalogue": indexNames,
        // Attribute names: ASCII letters, digits and _, checked before they come here.
        "AttributeSchema": attributeNames, "AttributeTable": attributeNames,
        "AttributeMap": attributeNames, "DocumentValidation": attributeNames,
        "IndexBook": attributeNames, "PlainTypes": attributeNames, "FieldBuilders": attributeNames,
        "Segment": attributeNames, "HighlightFinder": attributeNames,
        "HitHighlighter": attributeNames, "JSONDocumentDecoder": attributeNames,
        "JSONActivityDecoder": attributeNames,
        // Names that the program gives itself.
        "SnapshotLibrary": ownNames, "ReplicaIndex+Copying": ownNames, "FileCopies": ownNames,
        "IncomingFiles": ownNames, "ImportToken": ownNames, "ImportSession": ownNames,
        "ClusterStatus": ownNames, "LoadCluster": ownNames, "LoadMeasuring": ownNames,
        "ExecutionText": ownNames, "Settings": ownNames,
        // Tables in the source.
        "HTMLText": tables, "HTMLEntities": tables, "QueryGrammar+Time": tables,
        "ContentTypes": tables, "ContentTypes+Conformance": tables,
        // Where two spellings of one key are refused, nothing is lost.
        "AttributeValue": refusedTwice, "AttributeValue+Equality": refusedTwice,
        "ValueCoding+Reading": refusedTwice, "JSONObject": refusedTwice,
        "JSONValueDecoder": refusedTwice, "AttributeValue+JSON": refusedTwice,
        "Deb822Paragraph": refusedTwice,
        // Words of a person about a file in front of them.
        "SourceOptions": ownWords, "ImportFormat": ownWords, "ColumnMapping": ownWords,
        "RefusalLog": ownWords, "JSONFlatDecoder": ownWords, "NDJSONReader": ownWords,
        "DebianPackage": ownWords,
    ]

    private static let indexNames = "index names are a-z 0-9 . _ -"
    private static let attributeNames = "attribute names are checked: ASCII letters, digits, _"
    private static let ownNames = "names that the program gives are ASCII"
    private static let tables = "a table in the source"
    private static let refusedTwice = "a key that comes twice, in any spelling, is refused"
    private static let ownWords = "what a person wrote about a file, no identity of a document"
}

extension TextFile {
    /// Whether the keys of the file are known to be harmless.
    fileprivate var isExcused: Bool {
        let name = path.split(separator: "/").last ?? ""
        return Rule.excuses[String(name.dropLast(".swift".count))] != nil
    }
}
