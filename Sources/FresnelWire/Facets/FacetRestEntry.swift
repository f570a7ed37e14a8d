import FresnelKernels
import FresnelModel

// The second round of facets travels as hit batches, so that everything that holds for hits holds
// for it: order, bounds, credit, sequence (Documentation/protocol.md, Q-47). An entry's key is
//
//   facet(1) kind(1) then, as in sort keys, a number, or the folded key and the text itself
//
// so that keys ascend byte by byte as the values do, and its body is the count as LEB128.

/// A value of a facet with its count, as an entry of a batch.
package struct FacetRestEntry: Hashable, Sendable {
    /// The place of the facet among those of the search.
    package let facet: Int
    /// The value, with its count.
    package let value: WireFacetValue

    /// Makes an entry.
    package init(facet: Int, value: WireFacetValue) {
        self.facet = facet
        self.value = value
    }

    /// Where it stands in the stream, byte by byte.
    package var key: [UInt8] { [UInt8(clamping: facet)] + value.orderKey }

    /// The count.
    package var body: [UInt8] {
        var writer = ByteWriter()
        writer.writeVarint(value.count)
        return writer.bytes
    }

    /// Reads a count; nil when the bytes are not one.
    package static func count(of body: ArraySlice<UInt8>) -> UInt64? {
        var count: UInt64 = 0
        var shift: UInt64 = 0
        for byte in body {
            guard shift < 63 || byte < 2 else { return nil }
            count |= UInt64(byte & 0x7F) << shift
            shift += 7
            guard byte & 0x80 != 0 else {
                let isShortest = byte != 0 || body.count == 1
                return isShortest && shift == 7 * UInt64(body.count) ? count : nil
            }
        }
        return nil
    }
}

extension WireFacetValue {
    /// Bytes that ascend as values do (`isLess`) and are equal where values are.
    package var orderKey: [UInt8] {
        var key = OrderedKey()
        switch value {
        case .number(let number): key.append(number: number, descending: false)
        case .date(let seconds): key.append(number: seconds, descending: false)
        case .text(let text):
            key.append(string: sortKey, descending: false)
            key.append(string: text, descending: false)
        case nil: key.appendMissing()
        }
        return [UInt8(clamping: kindRank)] + key.bytes
    }

    /// Reads a value, without its count.
    ///
    /// - Throws: `WireError` unless the bytes are those of a value, spelled in the one right way.
    package init(orderKey bytes: ArraySlice<UInt8>) throws(WireError) {
        self.init()
        var reader = OrderedKeyReader(OrderedKey(bytes: Array(bytes.dropFirst())))
        do throws(KernelError) {
            switch bytes.first {
            case 0: number = try reader.readNumber(descending: false) ?? .nan
            case 1: date = try reader.readNumber(descending: false) ?? .nan
            case 2:
                let key = try reader.readString() ?? []
                let own = try reader.readString() ?? []
                text = String(decoding: own, as: UTF8.self)
                if key != own { folded = String(decoding: key, as: UTF8.self) }
            default: break
            }
        } catch {
            throw .damaged(.facetValue, error)
        }
        let isFinite =
            switch value {
            case .number(let number), .date(let number): number.isFinite
            case .text, nil: true
            }
        guard isFinite, value != nil, orderKey.elementsEqual(bytes) else {
            throw .invalid(.facetValue, reason: "it is not spelled as it must be")
        }
    }
}

extension WireFacetValue {
    /// Whether bytes are the key of a value; as `init(orderKey:)`, but makes none.
    package static func isOrderKey(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == 2 else {
            do throws(WireError) {
                _ = try WireFacetValue(orderKey: bytes)
                return true
            } catch {
                return false
            }
        }
        var rest = bytes.dropFirst()
        for _ in 0..<2 {
            guard rest.first == OrderedKey.present, let end = endOfText(in: rest.dropFirst())
            else { return false }
            rest = rest[end...]
        }
        return rest.isEmpty
    }

    /// Where a text with its two zero bytes ends; nil when it is none.
    private static func endOfText(in bytes: ArraySlice<UInt8>) -> Int? {
        var start = bytes.startIndex
        while let zero = bytes[start...].firstIndex(of: 0), zero + 1 < bytes.endIndex {
            guard isText(bytes[start..<zero]) else { return nil }
            start = zero + 2
            switch bytes[zero + 1] {
            case 0: return start
            case 0xFF: continue
            default: return nil
            }
        }
        return nil
    }

    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        do {
            _ = try UTF8Span(validating: bytes.span)
            return true
        } catch {
            return false
        }
    }
}
