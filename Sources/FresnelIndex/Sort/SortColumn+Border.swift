import FresnelKernels

extension SortColumn {
    /// Where a sort key made elsewhere lies among the places of this column; nil when its first
    /// field cannot be read as one of this column, and whole keys have to be compared.
    func border(of key: [UInt8]) -> SortBorder? {
        // What is missing has the last place.
        guard key.first != OrderedKey.missing else {
            return SortBorder(lower: .max, isShared: true)
        }
        guard key.first == OrderedKey.present else { return nil }
        switch source {
        case .kinds, .constant: return nil
        case .missing:
            return SortBorder(lower: 0, isShared: false)
        case .score, .numbers:
            var reader = OrderedKeyReader(OrderedKey(bytes: key))
            do throws(KernelError) {
                // Complemented when descending, as the places are.
                return try reader.readInteger(descending: false).map {
                    SortBorder(lower: $0, isShared: true)
                }
            } catch {
                return nil
            }
        case .strings(let column):
            return border(of: key, among: column.values)
        }
    }

    /// The ranks stand in the order of the keys, so one search over them finds the border.
    private func border(of key: [UInt8], among values: SortedTexts) -> SortBorder? {
        // Ascending, the first rank whose text does not precede the key; descending, the first
        // whose text does not follow it.
        let first = Bisection.end(from: 0, to: values.count) { rank in
            let order = Self.order(of: ValueRank(rank), of: values, isDescending, key)
            return isDescending ? order > 0 : order < 0
        }
        let low = ValueRank(first)
        let isShared =
            low < ValueRank(values.count)
            && Self.order(of: low, of: values, isDescending, key) == 0
        guard isDescending else {
            // Behind every text: what is missing comes later still.
            return SortBorder(lower: UInt64(low), isShared: isShared)
        }
        let place = UInt64(UInt32.max) - UInt64(low)
        return SortBorder(lower: isShared ? place : place + 1, isShared: isShared)
    }

    /// Below, equal to or above 0 as a text's part of a key precedes, begins or follows `key`.
    private static func order(
        of rank: ValueRank, of values: SortedTexts, _ isDescending: Bool, _ key: [UInt8]
    ) -> Int {
        var part = OrderedKey()
        SortText.append(rank, of: values, descending: isDescending, to: &part)
        if ByteOrder.hasPrefix(key.span, part.bytes.span) { return 0 }
        return ByteOrder.compare(part.bytes.span, key.span)
    }
}
