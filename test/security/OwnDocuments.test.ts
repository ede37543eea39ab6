import { Effect, type Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { join } from "node:path"
import { tmpdir } from "node:os"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { beforeAll, describe, expect, test } from "vitest"
import * as FolderBlobs from "../../src/providers/blobs/FolderBlobs.ts"
import { Blobs } from "../../src/providers/blobs/Blobs.ts"
import { OwnDocuments } from "../../src/providers/documents/OwnDocuments.ts"
import * as DatabaseBlobs from "../../src/sql/DatabaseBlobs.ts"
import { runOf } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import { useService } from "../support/TestService.ts"

const service = useService()

const forged = (blob: string) => ({ blob, mimeType: "application/pdf", size: 1, pageCount: 1 })

const read = (executionId: string, blob: string) =>
  service.it.run(
    Effect.flatMap(OwnDocuments, (documents) => documents.bytes(executionId, forged(blob))).pipe(
      Effect.match({ onSuccess: ({ length }) => length, onFailure: ({ message }) => message })
    )
  )

const refused = "The execution has no such document, or it is no longer stored."

let own: { readonly id: string; readonly blob: string }
let other: { readonly id: string; readonly blob: string }
let replayed: string

const runAs = async (rest: Parameters<typeof runOf>[0]) => {
  const { live } = await service.it.tenant()
  const { body } = await service.it.call("POST", "/flows/greet/run", { key: live, body: await runOf(rest) })
  const id = textAt(body, "id")
  await service.it.awaitStatus(live, id, "completed")
  const [row] = await service.it.rows(`select document ->> 'blob' as blob from executions where id = '${id}'`)
  return { id, blob: textAt(row, "blob"), key: live }
}

beforeAll(async () => {
  own = await runAs({ pages: 1 })
  const made = await runAs({ pages: 2 })
  other = made
  const { body } = await service.it.call("POST", `/runs/${made.id}/replay`, { key: made.key, body: {} })
  replayed = textAt(body, "id")
})

describe("an execution reads its own documents, and no others", () => {
  test("its own, and a replay those that it took over", async () => {
    expect(await read(own.id, own.blob)).toBeGreaterThan(0)
    expect(await read(replayed, other.blob)).toBeGreaterThan(0)
  })

  test("not another organization's, though its SHA-256 is known", async () => {
    expect(await read(own.id, other.blob)).toBe(refused)
    expect(await read(other.id, own.blob)).toBe(refused)
    expect(await read("exec_of_nobody", own.blob)).toBe(refused)
  })

  test.each([
    "../t-data/admin-token",
    "../../../../etc/passwd",
    "/etc/passwd",
    "",
    "\u0000",
    "..",
    "a".repeat(64)
  ])("nor what %j names", async (name) => {
    expect(await read(own.id, name)).toBe(refused)
  })

  test("an output of its own is no document", async () => {
    await service.it.rows(
      `insert into blob_uses (blob, execution_id, purpose) values ('${other.blob}', '${own.id}', 'result')`
    )
    expect(await read(own.id, other.blob)).toBe(refused)
  })
})

describe.each(["folder", "database"])("a blob store of the kind %s", (kind) => {
  test("looks for no name that is not 64 hexadecimal digits", async () => {
    const folder = await mkdtemp(join(tmpdir(), "docflow-blobs-"))
    await mkdir(join(folder, "blobs"))
    await writeFile(join(folder, "admin-token"), "secret")
    const inFolder = FolderBlobs.layer(join(folder, "blobs"))
    const store: Layer.Layer<Blobs, never, SqlClient.SqlClient | Layer.Services<typeof inFolder>> =
      kind === "folder" ? inFolder : DatabaseBlobs.layer
    const tags = await service.it.run(
      Effect.gen(function* () {
        const blobs = yield* Blobs
        const names = [
          "../admin-token",
          "./../admin-token",
          "",
          "..",
          "A".repeat(64),
          `${"a".repeat(63)}\u0000`
        ]
        yield* Effect.forEach(names, (name) => blobs.remove(name))
        return yield* Effect.forEach(names, (name) =>
          Effect.match(blobs.get(name), { onSuccess: () => "found", onFailure: ({ _tag }) => _tag })
        )
      }).pipe(Effect.provide(store))
    )
    expect(new Set(tags)).toEqual(new Set(["BlobMissing"]))
    expect(await readFile(join(folder, "admin-token"), "utf8")).toBe("secret")
    await rm(folder, { recursive: true })
  })
})
