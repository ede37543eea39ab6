import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Option, Path } from "effect"
import type { SqlClient } from "effect/sql"
import { Settings } from "../config/Config.ts"
import { RecentAcceptances } from "../engine/placement/RecentAcceptances.ts"
import { Signals } from "../engine/signals/Signals.ts"
import type { Blobs } from "../providers/blobs/Blobs.ts"
import * as FolderBlobs from "../providers/blobs/FolderBlobs.ts"
import * as S3Blobs from "../providers/blobs/S3Blobs.ts"
import * as Database from "../sql/Database.ts"
import * as DatabaseBlobs from "../sql/DatabaseBlobs.ts"

/** Files, paths, processes and randomness of Node.js. */
export const platform = Layer.mergeAll(NodeServices.layer, NodeCrypto.layer)

/** The services of `platform`. */
export type Platform = Layer.Success<typeof platform>

const inDataDir = (name: string) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    return path.join((yield* Settings).dataDir, name)
  })

const database = Layer.unwrap(
  Effect.gen(function* () {
    const { databaseConnections, databaseUrl } = yield* Settings
    const chosen: Layer.Layer<DatabaseServices, DatabaseError, Platform> = Option.isSome(databaseUrl)
      ? Database.layerServer(databaseUrl.value, databaseConnections)
      : Database.layerEmbedded(yield* inDataDir("database"))
    return chosen
  })
)
type DatabaseServices = Layer.Success<ReturnType<typeof Database.layerServer>>
type DatabaseError = Layer.Error<ReturnType<typeof Database.layerServer | typeof Database.layerEmbedded>>

const blobs = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings
    const kind = Option.getOrElse(settings.blobs, () =>
      Option.isSome(settings.databaseUrl) ? "database" : "folder"
    )
    const { s3Bucket, s3Endpoint, s3Prefix: prefix, s3Region: region } = settings
    const stores: Record<
      typeof kind,
      Layer.Layer<Blobs, S3Blobs.S3Unusable, SqlClient.SqlClient | Platform>
    > = {
      database: DatabaseBlobs.layer,
      folder: FolderBlobs.layer(yield* inDataDir("blobs")),
      s3: S3Blobs.layer({
        bucket: Option.getOrElse(s3Bucket, () => ""),
        endpoint: Option.getOrUndefined(s3Endpoint),
        prefix,
        region
      })
    }
    return stores[kind]
  })
)

const signals = Layer.unwrap(
  Effect.map(Settings, ({ databaseUrl }) =>
    Option.isSome(databaseUrl) ? Signals.layerShared : Signals.layerLocal
  )
)

/** The database, the store of documents, and the signals between processes, as the settings choose them. */
export const storage = Layer.merge(blobs, signals).pipe(
  Layer.provideMerge(RecentAcceptances.layer),
  Layer.provideMerge(database)
)
