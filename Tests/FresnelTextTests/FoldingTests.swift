import Testing

@testable import FresnelText
