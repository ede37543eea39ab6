import { Result } from "effect"
import { describe, expect, it } from "vitest"
import type { Scored } from "../../../dsl/model/Calibration.ts"
import { scoreVersion } from "../../../src/domain/Evidence.ts"
import { calibrationOf, readCalibration } from "../../../src/services/calibration/CalibrationFile.ts"
import { crossValidated, folds } from "../../../src/services/calibration/FitCurves.ts"
import { calibrationError, interval } from "../../../src/services/calibration/Reliability.ts"
import { makeCalibration } from "../../../src/services/calibration/MakeCalibration.ts"
import type { Observation } from "../../../src/services/calibration/Observation.ts"

const flow = { id: "one", version: "1.0.0" }

/** Numbers between 0 and 1 that look random and are always the same. */
const numbers = function* (seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    yield state / 2_147_483_648
  }
}

/** Values whose scores are off in a known way: right with the probability `truth` of the score. */
const observed = (
  documents: number,
  truth: (score: number) => number,
  of: Partial<Scored> = {}
): ReadonlyArray<Observation> => {
  const random = numbers(documents)
  return Array.from({ length: documents * 8 }, (_, index) => {
    const score = Math.round(random.next().value * 100) / 100
    const document = `${of.document ?? ""}${Math.floor(index / 8)}`
    const field = { field: "total", type: "money", by: "rules", document: "born-digital", ...of } as const
    return { score, right: random.next().value < truth(score), document, of: field }
  })
}

const made = (observations: ReadonlyArray<Observation>, accuracy?: number) =>
  Result.getOrThrow(makeCalibration(flow, observations, accuracy))
const digital: Scored = { field: "total", type: "money", by: "rules", document: "born-digital" }

describe("a calibration", () => {
  it.each([
    ["too modest", (score: number) => 0.5 + score / 2],
    ["too sure", (score: number) => score / 2]
  ])("puts scores right that are %s, on documents it has not seen", (_, truth) => {
    const observations = observed(100, truth)
    const before = calibrationError(observations.map(({ right, score }) => ({ confidence: score, right })))
    expect(calibrationError(crossValidated(observations))).toBeLessThan(before / 3)
    const { confidence } = calibrationOf(made(observations).curves)
    for (const score of [0.2, 0.5, 0.8])
      expect(Math.abs(confidence(score, digital) - truth(score))).toBeLessThan(0.1)
  })

  it("has a curve for photos where they are worse, and one for print", () => {
    const observations = [...observed(40, () => 0.98), ...observed(40, () => 0.5, { document: "scanned" })]
    const { confidence } = calibrationOf(made(observations).curves)
    expect(confidence(0.9, digital)).toBeGreaterThan(0.9)
    expect(confidence(0.9, { ...digital, document: "scanned" })).toBeLessThan(0.6)
  })

  it("raises nothing on a kind of document that it hardly saw, and leaves sources alone that it never saw", () => {
    const { confidence } = calibrationOf(made(observed(40, () => 0.98)).curves)
    expect(confidence(0.5, digital)).toBeGreaterThan(0.9)
    expect(confidence(0.5, { ...digital, document: "scanned" })).toBe(0.5)
    expect(confidence(0.42, { ...digital, by: "llm" })).toBe(0.42)
  })

  it("draws a small type towards all values, and lets a large one be itself", () => {
    const observations = [...observed(40, () => 0.9), ...observed(40, () => 0.3, { type: "date" })]
    const { confidence } = calibrationOf(made(observations).curves)
    expect(confidence(0.5, digital)).toBeGreaterThan(0.8)
    expect(confidence(0.5, { ...digital, type: "date" })).toBeLessThan(0.4)
    expect(confidence(0.5, { ...digital, type: "never seen" })).toBeCloseTo(0.6, 0)
  })

  it("does not take a low score for a good one because nothing was wrong so far", () => {
    const { confidence } = calibrationOf(
      made(
        observed(40, () => 1),
        0.9
      ).curves
    )
    expect(confidence(0.9, digital)).toBeGreaterThan(0.88)
    expect(confidence(0.05, digital)).toBeLessThan(0.7)
  })

  it("is more modest where harder documents are to come, and never bolder", () => {
    const observations = observed(40, () => 0.95)
    const plain = calibrationOf(made(observations).curves).confidence(0.7, digital)
    expect(calibrationOf(made(observations, 0.8).curves).confidence(0.7, digital)).toBeLessThan(plain - 0.05)
    expect(calibrationOf(made(observations, 0.99).curves).confidence(0.7, digital)).toBeCloseTo(plain, 3)
  })

  it("is refused where there is too little to fit it on", () => {
    const few = makeCalibration(
      flow,
      observed(3, () => 1)
    )
    expect(Result.isFailure(few) && few.failure).toMatch(
      /24 values .* from 3 documents of 3 issuers; at least 40 values from 8/u
    )
  })

  it("never parts the documents of an issuer in cross-validation", () => {
    const all = observed(24, () => 0.5).map((one) =>
      Object.assign({}, one, { issuer: `${Number(one.document) % 6}` })
    )
    for (const { held, rest } of folds(all)) {
      const there = new Set(rest.map(({ issuer }) => issuer))
      expect(held.filter(({ issuer }) => there.has(issuer))).toEqual([])
    }
  })

  it("never parts a document in cross-validation", () => {
    for (const { held, rest } of folds(observed(25, () => 0.5))) {
      const there = new Set(rest.map(({ document }) => document))
      expect(held.length).toBeGreaterThan(0)
      expect(held.filter(({ document }) => there.has(document))).toEqual([])
    }
  })
})

const read = (value: unknown, id = "one") =>
  readCalibration(JSON.stringify(value), "flows/one/1.0.0.calibration.json", { ...flow, id })

describe("the file of a calibration", () => {
  const file = made(observed(20, () => 0.9))
  it("is read back as it was made", () => {
    const calibration = Result.getOrThrow(read(file))
    expect(calibration.confidence(0.7, digital)).toBe(calibrationOf(file.curves).confidence(0.7, digital))
    expect(calibration.id).toBe(calibrationOf(file.curves).id)
  })

  it("is refused where it belongs to another flow or to other scores, falls, or is none", () => {
    const messageOf = (result: ReturnType<typeof read>) =>
      Result.isFailure(result) ? result.failure.message : "read"
    expect(messageOf(read(file, "two"))).toBe(
      "The calibration is for one 1.0.0, but its path says two 1.0.0."
    )
    const other = `version ${scoreVersion - 1}, but this docflow has version ${scoreVersion}`
    expect(messageOf(read({ ...file, scores: scoreVersion - 1 }))).toContain(other)
    expect(messageOf(read({ ...file, scores: undefined }))).toContain("version 1, but")
    const [first] = file.curves
    const falling = { ...first, points: [[0, 0.9], [1, 0.1]] } // prettier-ignore
    expect(messageOf(read({ ...file, curves: [falling] }))).toContain("never fall")
    expect(messageOf(read({ ...file, calibration: 2 }))).toContain("The file is not a calibration")
    expect(messageOf(read("hello"))).toContain("The file is not a calibration")
  })
})

describe("the interval of a share", () => {
  it("is Wilson's", () => {
    const { high, low } = interval(1, 10)
    expect(low).toBeCloseTo(0.0179, 3)
    expect(high).toBeCloseTo(0.4042, 3)
    expect(interval(0, 0)).toEqual({ low: 0, high: 1 })
  })
})
