import { defineConfig } from "vitest/config"
import { LongFirst } from "./test/support/LongFirst.ts"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/RunFolder.ts"],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A page in Chromium answers late while the other workers take both cores.
    expect: { poll: { timeout: 60_000 } },
    // Files share their worker: a service, a database and compiled code are then paid for once a worker, not once a file.
    isolate: false,
    // Two workers more than the usual two cores work while the others wait for processes, browsers and clocks.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst }
  }
})
