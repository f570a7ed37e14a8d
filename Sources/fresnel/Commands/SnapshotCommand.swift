import ArgumentParser

/// `fresnel snapshot`: its commands.
struct SnapshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Copy indexes to a directory or an S3 bucket, and make them again from there.",
        discussion: """
            A store is a directory that this machine and every worker see under the same path, or \
            s3://BUCKET/PREFIX. Workers copy their files by themselves; what is in the store \
            already is not sent again. Credentials come from the environment of this command and \
            of every worker: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or a file named by \
            AWS_SHARED_CREDENTIALS_FILE), AWS_REGION, and AWS_ENDPOINT_URL for other services \
            than AWS.

              fresnel snapshot create monday --store /mnt/backup --new-store
              fresnel snapshot list --store /mnt/backup
              fresnel snapshot verify monday --store s3://backups/search
              fresnel snapshot restore monday --store s3://backups/search

            \(ExitStatus.table)
            """,
        subcommands: [
            SnapshotCreate.self, SnapshotList.self, SnapshotVerify.self, SnapshotRestore.self,
            SnapshotDelete.self, SnapshotPrune.self,
        ])
}
