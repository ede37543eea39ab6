import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Redacted } from "effect"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { BlobUses } from "../../src/engine/journal/BlobUses.ts"
import * as FolderBlobs from "../../src/providers/blobs/FolderBlobs.ts"
import { RateLimits } from "../../src/services/admission/RateLimits.ts"
import { Retention } from "../../src/services/retention/Retention.ts"
import * as Database from "../../src/sql/Database.ts"
import { textAt } from "../support/Json.ts"
import type { TwoNodes } from "./TwoNodes.ts"

/** Every table and every file of the nodes that contains a string; files by their path below the data folder. */
export const remainsOf = async (two: TwoNodes, mark: string): Promise<ReadonlyArray<string>> => {
  // Bytes are printed in hexadecimal.
  const wanted = [mark, Buffer.from(mark).toString("hex")]
  const tables = await two.rows("select tablename as name from pg_tables where schemaname = 'public'")
  const searches = tables.map((row) => {
    const name = textAt(row, "name")
    const found = wanted.map((text) => `t::text like '%${text}%'`).join(" or ")
    return `select '${name}' as name where exists (select 1 from "${name}" t where ${found})`
  })
  const inTables = await two.rows(searches.join(" union all "))
  const files = await readdir(two.data, { recursive: true, withFileTypes: true })
  const inFiles = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async ({ name, parentPath }) => {
        const bytes = await readFile(join(parentPath, name)).catch(() => "")
        return bytes.includes(mark) ? [name] : []
      })
  )
  return [...inTables.map((row) => textAt(row, "name")), ...inFiles.flat()]
}

/** Removes what is kept no longer, as a third process over the same database and folder does: a number of times. */
export const sweep = (two: TwoNodes, rounds = 1, executionDays?: number): Promise<void> =>
  Effect.flatMap(Retention, (retention) =>
    Effect.replicateEffect(retention.sweep, rounds, { discard: true })
  ).pipe(
    Effect.provide(
      Retention.layer(executionDays).pipe(
        Layer.provide([BlobUses.layer, RateLimits.layer]),
        Layer.provide(FolderBlobs.layer(join(two.data, "blobs"))),
        Layer.provide(Database.layerServer(Redacted.make(two.database), 1)),
        Layer.provide([NodeServices.layer, NodeCrypto.layer])
      )
    ),
    Effect.runPromise
  )
