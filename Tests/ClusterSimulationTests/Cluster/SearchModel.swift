@testable import FresnelCluster
import FresnelKernels
import FresnelModel
import FresnelWire

/// Matching and sorting as the simulated workers do it, and as the oracle expects it.
///
/// Two kinds of query are enough to walk every path of the cores: a comparison of numbers, which is
/// sorted by the number, and one of text, which is scored and needs global statistics.
struct SearchModel {
    let minimumRating: Double?
    let isDescending: Bool
    let facetRequests: [WireFacetRequest]

    init(_ search: WireSearch) {
        minimumRating =
            search.query.hasPrefix("rating") ? Double(search.query.suffix(1)) : nil
        isDescending = search.sort.first?.descending ?? true
        facetRequests = search.facets
    }

    var isScored: Bool { minimumRating == nil }

    func matches(_ document: Document) -> Bool {
        guard let minimumRating else { return document.title.hasPrefix("lens") }
        return document.rating >= minimumRating
    }

    /// The score; of the statistics only the number of documents counts, so that a hit shows which
    /// statistics its worker was given.
    func score(of document: Document, documents: UInt64) -> Double {
        Double(documents) * 100 + document.rating
    }

    func key(of document: Document, documents: UInt64) -> [UInt8] {
        var key = OrderedKey()
        if isScored {
            key.append(score: score(of: document, documents: documents), descending: true)
        } else {
            key.append(number: document.rating, descending: isDescending)
        }
        key.append(string: document.uniqueIdentifier, descending: false)
        return key.bytes
    }
}

extension Document {
    var title: String {
        guard case .string(let title)? = attributes["title"] else { return "" }
        return title
    }

    var rating: Double {
        guard case .number(let rating)? = attributes["rating"] else { return 0 }
        return rating
    }
}
