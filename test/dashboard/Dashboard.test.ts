import { beforeEach, describe, expect, it } from "vitest"
import { useService } from "../support/TestService.ts"
import { describeAxe } from "./AxeSuite.ts"
import { useBrowser } from "./Browser.ts"
import { describeCorrections } from "./CorrectionsSuite.ts"
import { describeFlows } from "./FlowsSuite.ts"
import { describeLearning } from "./LearningSuite.ts"
import { describePages } from "./BrowserSuite.ts"
import { describeRequests } from "./HttpSuite.ts"
import { describePictures } from "./PagesSuite.ts"
import { describeSearch } from "./SearchSuite.ts"
import { describeUsage } from "./UsageSuite.ts"
import { describeUsers } from "./UsersSuite.ts"
import { describeViewer } from "./ViewerSuite.ts"
import { adminToken, forwarded, fromPage, signIn } from "./SignIn.ts"

const service = useService()
const browser = useBrowser()
beforeEach(async () => {
  await service.it.rows("delete from rate_windows")
})

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
describePictures(service)
// Last: it ends sessions of others, and the browser's is to last.
describeViewer(service, browser)
describeCorrections(service, browser)
describeLearning(service, browser)
describeFlows(service, browser)
describeAxe(service, browser)
describeSearch(service, browser)
describeUsage(service, browser)
describeUsers(service, browser)
describePages(service, browser)
