import { StorageFailures } from "../http/StorageFailures.ts"
import { DashboardApi } from "./DashboardApi.ts"

/** The dashboard's contract as it is served: its handlers may fail with what storage fails with. */
export const ServedDashboardApi = DashboardApi.middleware(StorageFailures)
