import { Effect } from "effect"
import { unlessLate } from "../../support/UnlessLate.ts"
import { type Blobs, BlobStoreFailure } from "./Blobs.ts"

/** Time limit for one operation of a store, its repetitions included. */
const patience = "10 seconds"

const late = () =>
  new BlobStoreFailure({
    cause: Object.assign(new Error("The document store does not answer"), { code: "ETIMEDOUT" })
  })

const limited = unlessLate(patience, () => Effect.fail(late()))

/** A store whose operations fail when they take too long: on a disk or a server that hangs, or sends byte after byte. */
export const limitBlobs = (blobs: Blobs["Service"]): Blobs["Service"] => ({
  inDatabase: blobs.inDatabase,
  put: (bytes, blob) => limited(blobs.put(bytes, blob)),
  has: (blob) => limited(blobs.has(blob)),
  get: (blob) => limited(blobs.get(blob)),
  remove: (blob) => limited(blobs.remove(blob)),
  list: (prefix) => limited(blobs.list(prefix))
})
