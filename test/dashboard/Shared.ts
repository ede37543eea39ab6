import type { TestService } from "../support/TestService.ts"

/** The one service that all suites of the dashboard share: starting one takes seconds. */
export interface Shared {
  readonly it: TestService
}
