import * as NodeServices from "@effect/platform-node/NodeServices"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { spawnSync } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as OcrEngine from "../../src/providers/ocr/OcrEngine.ts"
import * as Database from "../../src/sql/Database.ts"
import * as Migrations from "../../src/sql/Migrations.ts"
import { describeStartProblem } from "../../src/StartProblem.ts"

const bind = (folder: string) => ["bwrap", "--dev-bind", "/", "/", "--ro-bind", folder, folder] as const
const mayBind = spawnSync("bwrap", ["--dev-bind", "/", "/", "true"]).status === 0

/** What a start says that fails with this exit. */
const said = <A, E>(exit: Exit.Exit<A, E>): string =>
  Exit.isFailure(exit) ? describeStartProblem(exit.cause) : "it started"

const open = (database: string) =>
  Effect.exit(
    Effect.scoped(Layer.build(Database.layerEmbedded(database)).pipe(Effect.provide(NodeServices.layer)))
  )

describe("a start that cannot succeed", () => {
  let folder = ""
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docflow-start-"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.live("names both versions where a newer docflow has changed the database", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into docflow_migrations (migration_id, name) values (9001, 'future')`
      const exit = yield* Effect.exit(Effect.scoped(Layer.build(Layer.fresh(Migrations.layer))))
      assert.match(
        said(exit),
        /^The database has schema version 9001; this docflow supports versions up to \d+\. Start a newer docflow/u
      )
    }).pipe(Effect.provide(Database.layerEmbedded()), Effect.provide(NodeServices.layer))
  )

  it.live("says that the database is damaged", () =>
    Effect.gen(function* () {
      const database = join(folder, "damaged")
      yield* Effect.promise(async () => {
        await mkdir(database)
        await writeFile(join(database, "PG_VERSION"), "17\n")
      })
      const message = said(yield* open(database))
      assert.include(message, `The embedded database in ${database} cannot be opened`)
      assert.include(message, "Restore the folder from a backup, or set DOCFLOW_DATA_DIR to another folder")
    })
  )

  it.skipIf(!mayBind)(
    `says that the folder is read-only${mayBind ? "" : " (skipped: bwrap may not bind here)"}`,
    async () => {
      const readOnly = join(folder, "read-only")
      await mkdir(readOnly)
      const [program, ...parameters] = bind(readOnly)
      const { stdout } = spawnSync(program, [
        ...parameters,
        process.execPath,
        "test/durability/HoldFolder.ts",
        join(readOnly, "database")
      ])
      assert.match(
        stdout.toString(),
        /cannot be written to \(.*\)\. Make it writable for this user, or set DOCFLOW_DATA_DIR/u
      )
    }
  )

  it.live("names a language that no engine has data for", () =>
    Effect.gen(function* () {
      for (const engine of ["tesseract-js", "auto"] as const) {
        const exit = yield* Effect.exit(OcrEngine.checkLanguages({ engine, languages: ["eng", "xqz"] }))
        assert.match(said(exit), /no data for the language xqz \(DOCFLOW_OCR_LANGUAGES\): npm install/u)
      }
      yield* OcrEngine.checkLanguages({ engine: "auto", languages: ["eng"] })
    })
  )
})
