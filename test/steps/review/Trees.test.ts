import { assert, it } from "@effect/vitest"
import { changesByFeature, treeLogOdds, type Trees } from "../../../src/extraction/models/Trees.ts"
import { confidenceTrees } from "../../../src/extraction/models/ConfidenceTrees.ts"
import { sigmoid } from "../../../src/extraction/models/RankingWeights.ts"

const trees: Trees = {
  bias: 0.5,
  features: ["lead", "misfit"],
  trees: [
    [0, 0.2, -1, [1, 0.4, 2, -2, 1], 0.25],
    [1, 0.5, 0.5, -0.5, 0]
  ]
}

it("adds the leaves that an observation reaches to the bias; a feature that it lacks is 0", () => {
  assert.strictEqual(treeLogOdds(trees, { lead: 0.3, misfit: 0.1 }), 0.5 + 2 + 0.5)
  assert.strictEqual(treeLogOdds(trees, { lead: 0.3, misfit: 0.9 }), 0.5 - 2 - 0.5)
  assert.strictEqual(treeLogOdds(trees, {}), 0.5 - 1 + 0.5)
  // A value at a limit is below it.
  assert.strictEqual(treeLogOdds(trees, { lead: 0.2 }), 0.5 - 1 + 0.5)
})

it("tells how much each feature changed the log-odds, compared with the mean of all values", () => {
  const changes = changesByFeature(trees, { lead: 0.3, misfit: 0.9 })
  assert.deepStrictEqual([changes.get("lead"), changes.get("misfit")], [0.75, -3.5])
})

const confidence = (features: Readonly<Record<string, number>>) =>
  sigmoid(treeLogOdds(confidenceTrees, features))

it("trusts a value that leads, with an exact label in a document with many labels, and none without them", () => {
  const number = { found: 1, certainty: 1, labelled: 1, only: 1, low: 0.1 }
  const clear = {
    score: 0.97,
    scoreOdds: 3.5,
    prior: 3.5,
    lead: 0.5,
    leadOdds: 4,
    labelsKnown: 6,
    exactLabel: 1
  }
  const label = { labelQuality: 1, labelWeight: 1, labelFit: 1, labelInRow: 1 }
  const trusted = confidence({ ...number, ...clear, ...label })
  assert.isAbove(trusted, 0.9)
  assert.isBelow(confidence({ ...number, score: 0.3, misfit: 0.4, labelsKnown: 1 }), trusted - 0.2)
})
