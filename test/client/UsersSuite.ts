import { afterAll, describe, expect, it } from "vitest"
import { runHere, runProcessWith } from "../support/CommandLine.ts"
import { adminToken, type TestService } from "../support/TestService.ts"
import { removeUsers } from "../support/TestUsers.ts"

/** `docflow users`: adding people, their roles and passwords, and signing in as one of them. */
export const usersSuite = (service: { readonly it: TestService }): void => {
  const settings = (token: string) => ({
    DOCFLOW_URL: service.it.address,
    DOCFLOW_ADMIN_TOKEN: token
  })
  const docflow = (line: string, token = adminToken) => runHere(settings(token), ...line.split(" "))
  /** In a process of its own, whose standard input is the password. */
  const withPassword = (line: string, password: string) =>
    runProcessWith(password, settings(adminToken), ...line.split(" "))

  describe("docflow users", () => {
    afterAll(() => removeUsers(service.it))

    it("adds, lists and changes users, and signs in as one with the role's rights", async () => {
      const password = "a long enough password"
      expect((await withPassword("users add Berta --role operator", `${password}\n`)).out).toBe(
        "Added berta (operator)\n"
      )
      expect((await docflow("users list")).out).toMatch(/^berta +operator +password +enabled +never$/mu)

      const signedIn = await withPassword("users sign-in berta", `${password}\n`)
      expect(signedIn.error).toContain("Signed in as berta (operator)")
      const token = signedIn.out.trim()
      expect((await docflow("organizations create hers", token)).error).toContain(
        "This requires the role administrator. Your role is operator."
      )

      expect((await docflow("users role bert viewer")).error).toContain('Did you mean "berta"?')
      expect((await docflow("users role berta viewer")).out).toBe("berta is now viewer\n")
      expect((await docflow("users disable berta")).out).toContain("Disabled berta")
      expect((await docflow("organizations list", token)).error).toContain("the session has ended")
    })
  })
}
