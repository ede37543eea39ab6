import { Effect, Layer, Predicate, Schema } from "effect"
import { sha256 } from "../../support/Sha256.ts"
import { BlobMissing, Blobs, BlobStoreFailure, compared, isBlobName } from "./Blobs.ts"
import { limitBlobs } from "./LimitedBlobs.ts"

/** Where the blobs are. Credentials come from the environment or from the machine's role, as for every AWS client. */
export interface S3Location {
  readonly bucket: string
  /** Precedes the names of the blobs, such as `docflow/`. */
  readonly prefix: string
  readonly region: string
  /** The address of a store other than AWS, such as `http://minio:9000`. */
  readonly endpoint: string | undefined
}

/** The store cannot be used; the message says what to do. */
export class S3Unusable extends Schema.TaggedError<S3Unusable>()("S3Unusable", {
  message: Schema.String
}) {}

/** Larger blobs are sent in parts of this size, in bytes. */
const partSize = 8 * 1024 * 1024
/** How often a request is made until it is answered; the client waits longer each time. */
const maxAttempts = 4
/** Limits of connecting and of a silent connection, in milliseconds. */
const timeouts = { connectionTimeout: 2_000, socketTimeout: 4_000 }

const load = Effect.tryPromise({
  try: async () => {
    const [client, storage] = await Promise.all([
      import("@aws-sdk/client-s3"),
      import("@aws-sdk/lib-storage")
    ])
    return { ...client, Upload: storage.Upload }
  },
  catch: () =>
    new S3Unusable({
      message:
        "DOCFLOW_BLOBS=s3 needs the packages @aws-sdk/client-s3 and @aws-sdk/lib-storage, which are not installed"
    })
})

const nameOf = (error: unknown): string =>
  Predicate.hasProperty(error, "name") && typeof error.name === "string" ? error.name : "unknown"

/** Logs and `/health/ready` show the name of the error. */
const failure = (cause: unknown) =>
  new BlobStoreFailure({ cause: Object.assign(new Error(nameOf(cause), { cause }), { code: nameOf(cause) }) })

const messageOf = (cause: unknown): string => (Predicate.isError(cause) ? cause.message : String(cause))

const missing: ReadonlySet<string> = new Set(["NoSuchKey", "NotFound"])

/** Makes a request, which is cut off if it is interrupted. */
const asking = <A>(ask: (options: { readonly abortSignal: AbortSignal }) => Promise<A>) =>
  Effect.tryPromise({ try: (abortSignal) => ask({ abortSignal }), catch: (cause) => cause })

/**
 * Blobs as objects of an S3-compatible store, named by their hash. Every process reaches them, so that no disk is
 * shared.
 */
export const layer = (location: S3Location) =>
  Layer.effect(
    Blobs,
    Effect.gen(function* () {
      const s3 = yield* load
      const { bucket, endpoint, prefix, region } = location
      const client = yield* Effect.acquireRelease(
        Effect.sync(
          () =>
            new s3.S3Client({
              region,
              maxAttempts,
              requestHandler: timeouts,
              // Stores other than AWS seldom have a host name for each bucket, and not all of them know its checksums.
              ...(endpoint === undefined
                ? {}
                : { endpoint, forcePathStyle: true, requestChecksumCalculation: "WHEN_REQUIRED" as const })
            })
        ),
        (made) => Effect.sync(() => made.destroy())
      )
      const objectOf = (blob: string) => ({ Bucket: bucket, Key: prefix + blob })

      const upload = (blob: string, bytes: Uint8Array) =>
        Effect.callback<void, unknown>((resume) => {
          const sending = new s3.Upload({ client, partSize, params: { ...objectOf(blob), Body: bytes } })
          sending.done().then(
            () => resume(Effect.void),
            (error: unknown) => resume(Effect.fail(error))
          )
          return Effect.ignore(Effect.tryPromise(() => sending.abort()))
        })

      const put = Effect.fn("Blobs.put")(function* (bytes: Uint8Array, known?: string) {
        const blob = known ?? (yield* sha256(bytes))
        yield* bytes.length > partSize
          ? upload(blob, bytes)
          : asking((options) =>
              client.send(new s3.PutObjectCommand({ ...objectOf(blob), Body: bytes }), options)
            )
        return blob
      }, Effect.mapError(failure))

      const has = Effect.fn("Blobs.has")((blob: string) =>
        asking((options) => client.send(new s3.HeadObjectCommand(objectOf(blob)), options)).pipe(
          Effect.as(true),
          Effect.catch((error) =>
            missing.has(nameOf(error)) ? Effect.succeed(false) : Effect.fail(failure(error))
          )
        )
      )

      const read = (blob: string) =>
        asking(async (options) => {
          const { Body } = await client.send(new s3.GetObjectCommand(objectOf(blob)), options)
          return Body === undefined ? new Uint8Array() : await Body.transformToByteArray()
        }).pipe(
          Effect.mapError((error) =>
            missing.has(nameOf(error)) ? new BlobMissing({ blob }) : failure(error)
          )
        )

      const get = Effect.fn("Blobs.get")(function* (blob: string) {
        if (!isBlobName(blob)) return yield* new BlobMissing({ blob })
        const whole = Effect.flatMap(read(blob), (bytes) => compared(blob, bytes))
        // Read once more before it counts as damaged: the bytes may have changed on their way.
        return yield* Effect.catchTag(whole, "BlobDamaged", () => whole)
      })

      const remove = Effect.fn("Blobs.remove")((blob: string) =>
        isBlobName(blob)
          ? asking((options) => client.send(new s3.DeleteObjectCommand(objectOf(blob)), options)).pipe(
              Effect.mapError(failure),
              Effect.asVoid
            )
          : Effect.void
      )

      const list = Effect.fn("Blobs.list")(function* (digits: string) {
        const names: Array<string> = []
        let next: string | undefined
        do {
          const asked = { Bucket: bucket, Prefix: prefix + digits, ContinuationToken: next }
          const page = yield* asking((options) => client.send(new s3.ListObjectsV2Command(asked), options))
          for (const { Key = "" } of page.Contents ?? []) names.push(Key.slice(prefix.length))
          next = page.NextContinuationToken
        } while (next !== undefined)
        return names.filter(isBlobName)
      }, Effect.mapError(failure))

      const blobs = limitBlobs({ inDatabase: false, put, has, get, remove, list })
      // Unlike a HEAD request, this one is answered with the name of the error.
      yield* Effect.mapError(
        blobs.list("00"),
        ({ cause }) =>
          new S3Unusable({
            message: `The bucket ${bucket} of DOCFLOW_S3_BUCKET cannot be used (${messageOf(cause)}). Check its name, DOCFLOW_S3_ENDPOINT, DOCFLOW_S3_REGION and the credentials`
          })
      )

      return blobs
    })
  )
