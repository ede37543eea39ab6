import { useService } from "../support/TestService.ts"
import { useBrowser } from "./Browser.ts"
import { describeEdits } from "./EditsSuite.ts"
import { describeFlows } from "./FlowsSuite.ts"
import { describeUsage } from "./UsageSuite.ts"
import { describeUsers } from "./UsersSuite.ts"
import { forgetAttempts } from "./SignIn.ts"

const service = useService()
const browser = useBrowser()
forgetAttempts(service)

describeFlows(service, browser)
describeEdits(service, browser)
describeUsage(service, browser)
describeUsers(service, browser)
