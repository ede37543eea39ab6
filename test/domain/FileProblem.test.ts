import { PlatformError } from "effect"
import { describe, expect, it } from "vitest"
import { cannotRead, cannotWrite } from "../../src/domain/FileProblem.ts"

const failure = (code: string) => Object.assign(new Error(`${code}: no words for users`), { code })

describe("a problem with a file", () => {
  it.each([
    ["EACCES", "a cannot be read: permission denied. Check the permissions of the file and of its folder"],
    ["EPERM", "a cannot be read: permission denied. Check the permissions of the file and of its folder"],
    ["EISDIR", "a cannot be read: it is a folder. Give the path of a file"],
    ["ENOENT", "a cannot be read: it does not exist. Check the path"],
    ["EIO", "a cannot be read: EIO. Check the path"]
  ])("of the code %s says why and what to do", (code, message) => {
    const cause = failure(code)
    expect(cannotRead("a", cause)).toBe(message)
    const error = PlatformError.systemError({ _tag: "Unknown", module: "FileSystem", method: "open", cause })
    expect(cannotRead("a", error)).toBe(message)
    expect(cannotWrite("a", error)).toBe(message.replace("read", "written"))
  })
})
