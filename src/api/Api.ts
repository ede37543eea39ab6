import { HttpApi, OpenApi } from "effect/http-api"
import { AdminApi } from "./AdminApi.ts"
import { CorrectionsApi } from "./CorrectionsApi.ts"
import { describeArtifacts } from "./DescribeArtifacts.ts"
import { describeService } from "./DescribeService.ts"
import { FlowsApi } from "./FlowsApi.ts"
import { openObjects } from "./OpenObjects.ts"
import { describeComforts } from "./DescribeComforts.ts"
import { describeResponses } from "./ResponseHeaders.ts"
import { PagesApi } from "./PagesApi.ts"
import { RunsApi } from "./RunsApi.ts"
import { SignInApi } from "./UserEndpoints.ts"
import { version } from "../support/Version.ts"

/** The whole HTTP contract, from which the OpenAPI document, the server and the client are derived. */
export class Api extends HttpApi.make("docflow")
  .add(FlowsApi)
  .add(RunsApi)
  .add(PagesApi)
  .add(CorrectionsApi)
  .add(AdminApi)
  .add(SignInApi)
  .annotateMerge(
    OpenApi.annotations({
      title: "docflow",
      version,
      description: "Runs named, versioned document flows on a document and returns structured data.",
      transform: (document) =>
        describeComforts(describeService(openObjects(describeArtifacts(describeResponses(document)))))
    })
  ) {}
