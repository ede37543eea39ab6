import { HttpApi, OpenApi } from "effect/http-api"
import { AdminApi } from "./AdminApi.ts"
import { CorrectionsApi } from "./CorrectionsApi.ts"
import { describeArtifacts } from "./DescribeArtifacts.ts"
import { describeService } from "./DescribeService.ts"
import { FlowsApi } from "./FlowsApi.ts"
import { describeComforts } from "./DescribeComforts.ts"
import { describeResponses } from "./ResponseHeaders.ts"
import { PagesApi } from "./PagesApi.ts"
import { RunsApi } from "./RunsApi.ts"
import { SignInApi } from "./UserEndpoints.ts"
import { version } from "../support/Version.ts"
import { Predicate } from "effect"

/**
 * Makes every object of an OpenAPI document open: unknown fields of requests are ignored, and responses may get further
 * fields. Effect describes every object as closed, whatever the server does.
 */
const openObjects = (document: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(document)
      .filter(([name, part]) => name !== "additionalProperties" || part !== false)
      .map(([name, part]) => [name, openPart(part)])
  )

const openPart = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(openPart)
  return Predicate.isObject(part) ? openObjects(part) : part
}

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
