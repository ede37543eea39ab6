import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { envelope } from "../api/ErrorEnvelope.ts"
import { Contract, Defects } from "../api/Gate.ts"
import { NotFound } from "../api/NotFound.ts"
import { Usage } from "../domain/Usage.ts"
import { SameOrigin } from "./SameOrigin.ts"
import { SignedIn } from "./SignedIn.ts"

/** What the charts of use show. */
export class UsageGroup extends HttpApiGroup.make("usage")
  .add(
    HttpApiEndpoint.get("ofAll", "/usage", { success: Usage }),
    HttpApiEndpoint.get("ofOrganization", "/organizations/:id/usage", {
      params: { id: Schema.String },
      success: Usage,
      error: envelope(NotFound, "INVALID_INPUT")
    })
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(SignedIn)
  .middleware(SameOrigin) {}
