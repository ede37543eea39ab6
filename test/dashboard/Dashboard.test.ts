import { describe, expect, it } from "vitest"
import { useService } from "../support/TestService.ts"
import { describeAxe } from "./AxeSuite.ts"
import { useBrowser } from "./Browser.ts"
import { describePages } from "./BrowserSuite.ts"
import { describeCorners } from "./CornersSuite.ts"
import { describeEnding } from "./EndingSuite.ts"
import { describeFocus } from "./FocusSuite.ts"
import { describeHistory } from "./HistorySuite.ts"
import { describeRequests } from "./HttpSuite.ts"
import { describeReference } from "./ReferenceSuite.ts"
import { describeSearch } from "./SearchSuite.ts"
import { adminToken, forgetAttempts, forwarded, fromPage, signIn } from "./SignIn.ts"

const service = useService()
const browser = useBrowser()
forgetAttempts(service)

describe("without a trusted proxy", () => {
  it("nobody's claim to come by HTTPS or from elsewhere is believed", async () => {
    const answer = await signIn(service.it, "token", adminToken, { ...fromPage, ...forwarded })
    expect(answer.headers.get("set-cookie")).not.toContain("Secure")
    expect(await service.it.rows("select bucket from rate_windows where bucket like 'sign-in:203%'")).toEqual(
      []
    )
  })
})

it("the address of the service leads to the dashboard", async () => {
  const answer = await fetch(service.it.address, { redirect: "manual" })
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/dashboard"])
})
describeRequests(service)
describeEnding(service)
// Last: it ends sessions of others, and the browser's is to last.
describeSearch(service, browser)
describeReference(service, browser)
describeFocus(service, browser)
describeCorners(service, browser)
describeHistory(service, browser)
describeAxe(service, browser)
describePages(service, browser)
