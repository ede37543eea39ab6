import { Layer } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { envelope } from "../api/ErrorEnvelope.ts"
import { ServiceUnavailable } from "../domain/Errors.ts"
import { onStorageFailure, storageFailures } from "../services/storage/StorageUnavailable.ts"

/**
 * Lets handlers fail with storage errors, which are answered with `SERVICE_UNAVAILABLE`. It belongs to the contract as
 * served: neither the OpenAPI document nor the client knows these errors.
 */
export class StorageFailures extends HttpApiMiddleware.Service<StorageFailures>()(
  "docflow/http/StorageFailures",
  { error: [envelope(ServiceUnavailable), ...storageFailures] }
) {}

export const layer = Layer.succeed(StorageFailures, StorageFailures.of(onStorageFailure))
