import { useService } from "../support/TestService.ts"
import { useBrowser } from "./Browser.ts"
import { describeCorrecting } from "./CorrectingSuite.ts"
import { describeCorrections } from "./CorrectionsSuite.ts"
import { describeLearning } from "./LearningSuite.ts"
import { describePictures } from "./PagesSuite.ts"
import { describeReview } from "./ReviewSuite.ts"
import { describeSimilar } from "./SimilarSuite.ts"
import { describeTableCorrections } from "./TableCorrectionsSuite.ts"
import { describeWeighing } from "./WeighingSuite.ts"
import { describeViewer } from "./ViewerSuite.ts"
import { describeWholePath } from "./WholePathSuite.ts"
import { forgetAttempts } from "./SignIn.ts"

const service = useService()
const browser = useBrowser()
forgetAttempts(service)

describePictures(service)
describeViewer(service, browser)
describeCorrections(service)
describeTableCorrections(service)
describeCorrecting(service, browser)
describeReview(service, browser)
describeLearning(service, browser)
describeWeighing(service)
describeWholePath(service, browser)
describeSimilar(service)
