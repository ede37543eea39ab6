import { Api } from "../api/Api.ts"
import { StorageFailures } from "./StorageFailures.ts"

/** The contract as served: its handlers may fail with storage errors. */
export const ServedApi = Api.middleware(StorageFailures)
