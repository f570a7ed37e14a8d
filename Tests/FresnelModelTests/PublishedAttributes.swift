import FresnelModel

/// The public attributes as their headers list them, written down apart from the table under test.
enum PublishedAttributes {
    /// Covered by `*`.
    static let searchableByDefault = names(
        """
        title displayName alternateNames keywords textContentSummary contentDescription subject
        theme kind audiences comment information ratingDescription editors participants projects
        contributors publishers organizations performers contactKeywords director producer genre
        coverage album artist composer lyricist musicalGenre namedLocation thoroughfare
        subThoroughfare postalCode city stateOrProvince country fullyFormattedAddress headline
        instructions authorNames recipientNames authors primaryRecipients additionalRecipients
        authorAddresses authorEmailAddresses recipientAddresses recipientEmailAddresses
        emailAddresses phoneNumbers instantMessageAddresses containerTitle containerDisplayName
        """)

    /// Covered only by `**`.
    static let textContent = names(
        """
        transcribedTextContent textContent HTMLContentData
        """)

    /// Every name by its type.
    static let byType: [AttributeType: Set<String>] = [
        .string: """
        title displayName contentType path version domainIdentifier relatedUniqueIdentifier
        weakRelatedUniqueIdentifier textContentSummary transcribedTextContent contentDescription
        subject theme kind identifier creator securityMethod comment information ratingDescription
        director producer genre role originalFormat originalSource copyright rights album artist
        composer lyricist musicalGenre musicalInstrumentCategory musicalInstrumentName
        keySignature timeSignature audioEncodingApplication colorSpace profileName acquisitionMake
        acquisitionModel cameraOwner lensModel meteringMode exposureProgram exposureTimeString
        EXIFVersion EXIFGPSVersion namedLocation thoroughfare subThoroughfare postalCode city
        stateOrProvince country fullyFormattedAddress headline instructions GPSStatus
        GPSMeasureMode GPSMapDatum GPSProcessingMethod GPSAreaInformation textContent
        accountIdentifier containerTitle containerDisplayName containerIdentifier
        sharedItemContentType
        """,
        .strings: """
        alternateNames keywords contentTypeTree audiences encodingApplications fontNames editors
        participants projects contributors publishers organizations performers contactKeywords
        contentSources coverage languages codecs mediaTypes layerNames authorNames recipientNames
        authorAddresses authorEmailAddresses recipientAddresses recipientEmailAddresses
        emailAddresses phoneNumbers instantMessageAddresses accountHandles mailboxIdentifiers
        actionIdentifiers providerDataTypeIdentifiers providerFileTypeIdentifiers
        providerInPlaceFileTypeIdentifiers
        """,
        .url: """
        contentURL thumbnailURL darkThumbnailURL URL
        """,
        .bytes: """
        thumbnailData HTMLContentData
        """,
        .date: """
        metadataModificationDate startDate endDate dueDate completionDate contentCreationDate
        contentModificationDate lastUsedDate downloadedDate addedDate recordingDate timestamp
        GPSDateStamp
        """,
        .number: """
        rankingHint fileSize pageCount pageWidth pageHeight rating contentRating playCount
        duration deliveryType totalBitRate videoBitRate audioBitRate tempo audioTrackNumber
        audioSampleRate audioChannelCount pixelWidth pixelHeight pixelCount orientation
        bitsPerSample resolutionWidthDPI resolutionHeightDPI aperture maxAperture fNumber
        focalLength whiteBalance ISOSpeed exposureMode exposureTime latitude longitude altitude
        speed imageDirection GPSTrack GPSDOP GPSDestLatitude GPSDestLongitude GPSDestBearing
        GPSDestDistance GPSDifferental containerOrder
        """,
        .boolean: """
        userCreated userOwned userCurated isPriority allDay streamable local generalMIDISequence
        hasAlphaChannel focalLength35mm flashOn redEyeOn likelyJunk supportsPhoneCall
        supportsNavigation
        """,
        .dates: """
        importantDates
        """,
        .persons: """
        authors primaryRecipients additionalRecipients hiddenAdditionalRecipients
        """,
        .dictionary: """
        emailHeaders
        """,
    ].mapValues { names($0) }

    private static func names(_ text: String) -> Set<String> {
        Set(text.split { $0.isWhitespace }.map { String($0) })
    }
}
