import { expect, test } from "vitest"
import { cacheFolder } from "../../src/CompiledCode.ts"

test.each([
  [{ XDG_CACHE_HOME: "/caches", HOME: "/home/ada" }, "/caches"],
  [{ HOME: "/home/ada" }, "/home/ada/.cache"],
  [{ XDG_CACHE_HOME: "", HOME: "/home/ada" }, "/home/ada/.cache"],
  [{ HOME: "" }, undefined],
  [{ XDG_CACHE_HOME: "here", HOME: "." }, undefined],
  [{}, undefined]
])(
  "compiled code of a user with %j is kept in a folder of that user, and never in the current one",
  (environment, folder) => {
    expect(cacheFolder(environment)).toBe(folder)
  }
)
