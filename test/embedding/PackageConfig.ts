import { defineConfig } from "vitest/config"

/** `npm run check:package`: builds the package and looks at it as its users get it, which takes most of a minute. */
export default defineConfig({
  test: {
    include: ["test/embedding/Package.check.ts"],
    globalSetup: ["test/support/RunFolder.ts"],
    testTimeout: 120_000,
    hookTimeout: 600_000
  }
})
