import { Layer, type Redacted } from "effect"
import * as Embedded from "./Embedded.ts"
import * as Migrations from "./Migrations.ts"
import * as SharedClock from "./SharedClock.ts"
import * as Server from "./Server.ts"

/** PostgreSQL inside this process, in `folder` or in memory, with the newest schema. */
export const layerEmbedded = (folder?: string) => Layer.provideMerge(Migrations.layer, Embedded.layer(folder))

/** A PostgreSQL server, with the newest schema. */
export const layerServer = (url: Redacted.Redacted, maxConnections?: number) =>
  Layer.provideMerge(
    Layer.merge(SharedClock.layer, Migrations.layer),
    Server.layer(url, maxConnections)
  ).pipe(Layer.catchTag("SqlError", Server.explained))
