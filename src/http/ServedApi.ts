import { Api } from "../api/Api.ts"
import { StorageFailures } from "./StorageFailures.ts"

/** The contract as it is served: its handlers may fail with what storage fails with. */
export const ServedApi = Api.middleware(StorageFailures)
