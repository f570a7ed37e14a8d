import FresnelJSON
import Testing

struct JSONObjectTests {
    @Test("Members keep their order and are found by key", arguments: [0, 1, 12, 13, 200])
    func order(count: Int) {
        var object = JSONObject()
        for number in 0..<count { object["key\(number)"] = .integer(Int64(number)) }
        #expect(object.count == count)
        #expect(object.keys == (0..<count).map { "key\($0)" })
        for number in 0..<count { #expect(object["key\(number)"]?.integer == Int64(number)) }
        #expect(object["other"] == nil)
    }

    @Test("Setting replaces in place, setting nil removes", arguments: [3, 14, 40])
    func changing(count: Int) {
        var object = JSONObject()
        for number in 0..<count { object["key\(number)"] = 0 }
        object["key1"] = "new"
        #expect(object.keys[1] == "key1" && object["key1"] == "new")
        object["key0"] = nil
        #expect(object["key0"] == nil && object.count == count - 1)
        #expect(object["key\(count - 1)"] == 0 && object.keys.first == "key1")
    }

    @Test("The order of keys does not count for equality, a missing key does")
    func equality() {
        let value: JSONValue = ["a": 1, "b": 2]
        #expect(value == ["b": 2, "a": 1.0])
        #expect(value != ["a": 1])
        #expect(value != ["a": 1, "c": 2])
        #expect(JSONValue.integer(.max) != .number(9.223372036854775807e18))
    }

    @Test("Values are reached by what they are, and nil otherwise")
    func access() {
        let value: JSONValue = ["s": "x", "n": 2.0, "f": 2.5, "t": true, "l": [1], "z": nil]
        #expect(value["s"]?.string == "x" && value["s"]?.double == nil)
        #expect(value["n"]?.integer == 2 && value["f"]?.integer == nil)
        #expect(value["t"]?.bool == true && value["l"]?.array == [1])
        #expect(value["z"]?.isNull == true && value["q"] == nil)
        #expect(value["s"]?["x"] == nil && value["l"]?.kind == "array")
    }
}
