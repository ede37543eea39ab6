import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/RunFolder.ts"],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // Files share their worker: a service, a database and compiled code are then paid for once a worker, not once a file.
    isolate: false,
    maxWorkers: 2
  }
})
