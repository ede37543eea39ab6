import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readPrinted } from "../pages/ReadPrinted.ts"

it.effect("the readings of a meter are no sums, although they add up", () =>
  Effect.gen(function* () {
    const { values } = yield* readPrinted([
      "Tri-Rivers Rural Electric Cooperative          INVOICE",
      "Previous reading 40,118   Used 1,392   Present reading 41,510",
      "Basic facilities charge                          32.00",
      "Energy charge                                   142.54",
      "Power cost adjustment                             6.03",
      "Security light                                    6.74",
      "State sales tax                                  14.99",
      "Total current charges                           202.30"
    ])
    assert.strictEqual(values["totalAmount"], 202.3)
    assert.notStrictEqual(values["taxAmount"], 1392)
  })
)
