import { Effect, Layer, type Redacted } from "effect"
import * as Embedded from "./Embedded.ts"
import * as Indexes from "./Indexes.ts"
import * as Migrations from "./Migrations.ts"
import { CurrentReadingPlaces, placesFor } from "./ReadingPlaces.ts"
import * as SharedClock from "./SharedClock.ts"
import * as Server from "./Server.ts"

/** PostgreSQL inside this process, in `folder` or in memory, with the newest schema. */
export const layerEmbedded = (folder?: string) =>
  Embedded.layer(
    folder,
    Layer.tap(Migrations.layer, () => Indexes.makeIndexes)
  )

/** A PostgreSQL server, with the newest schema. What brings it there may take long. */
export const layerServer = (url: Redacted.Redacted, maxConnections?: number) =>
  Layer.provideMerge(SharedClock.layer, Server.layer(url, maxConnections)).pipe(
    Layer.tap(() =>
      Effect.scoped(Layer.build(Layer.provide(Layer.fresh(Migrations.layer), Server.layer(url, 1, false))))
    ),
    Layer.tap((services) => Effect.provide(Indexes.makeInBackground(Server.layer(url, 1, false)), services)),
    Layer.catchTag("SqlError", Server.explained),
    Layer.merge(Layer.succeed(CurrentReadingPlaces, placesFor(maxConnections ?? 12)))
  )
