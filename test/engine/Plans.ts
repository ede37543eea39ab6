import * as fc from "../support/FastCheck.ts"
import type { StepSource } from "../../dsl/index.ts"

/** A flow's steps without their ids: what the generator makes. */
export type Plan =
  | { readonly form: "work"; readonly ms: number; readonly fails: boolean; readonly onError: OnError }
  | {
      readonly form: "group"
      readonly on: boolean
      readonly inside: ReadonlyArray<Plan>
      readonly onError: OnError
    }
  | {
      readonly form: "parallel"
      readonly branches: ReadonlyArray<ReadonlyArray<Plan>>
      readonly onError: OnError
    }
  | {
      readonly form: "loop"
      readonly count: number
      readonly concurrency: number
      readonly inside: ReadonlyArray<Plan>
    }
  | { readonly form: "switch"; readonly chosen: number; readonly cases: ReadonlyArray<ReadonlyArray<Plan>> }

type OnError = "continue" | "handle"

const onError = fc.constantFrom<OnError>("continue", "handle")

const { plan } = fc.letrec<{ plan: Plan; plans: ReadonlyArray<Plan> }>((tie) => ({
  plan: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    fc.record({
      form: fc.constant("work" as const),
      ms: fc.nat(2),
      fails: fc.boolean(),
      onError
    }),
    fc.record({ form: fc.constant("group" as const), on: fc.boolean(), inside: tie("plans"), onError }),
    fc.record({
      form: fc.constant("parallel" as const),
      branches: fc.array(tie("plans"), { minLength: 1, maxLength: 2 }),
      onError
    }),
    fc.record({
      form: fc.constant("loop" as const),
      count: fc.nat(3),
      concurrency: fc.integer({ min: 1, max: 3 }),
      inside: tie("plans")
    }),
    fc.record({
      form: fc.constant("switch" as const),
      chosen: fc.nat(3),
      cases: fc.array(tie("plans"), { minLength: 1, maxLength: 2 })
    })
  ),
  plans: fc.array(tie("plan"), { minLength: 1, maxLength: 3 })
}))

/** Any steps. */
export const plans = fc.array(plan, { minLength: 1, maxLength: 3 })

/** Whether branches are written as branches, or as steps one after the other that give the same. */
export type Schedule = "parallel" | "sequential"

/** Writes plans as the steps of a flow; the last of them gives what all of them did. */
export const stepsOf = (made: ReadonlyArray<Plan>, schedule: Schedule): ReadonlyArray<StepSource> =>
  new Writer(schedule).block(made, [], undefined)

class Writer {
  readonly #schedule: Schedule
  #count = 0

  constructor(schedule: Schedule) {
    this.#schedule = schedule
  }

  block(made: ReadonlyArray<Plan>, seen: ReadonlyArray<string>, item: string | undefined) {
    const visible = [...seen]
    const steps = made.map((one) => {
      const id = `s${this.#count++}`
      const step = this.#step(one, id, visible, item)
      visible.push(id)
      return step
    })
    const own = visible.slice(seen.length).map((id) => [id, `\${{ steps.${id} }}`] as const)
    return [
      ...steps,
      { id: `s${this.#count++}`, uses: "transform", with: { value: Object.fromEntries(own) } }
    ]
  }

  #step(plan: Plan, id: string, seen: ReadonlyArray<string>, item: string | undefined): StepSource {
    switch (plan.form) {
      case "work": {
        const parts = [
          ...seen.slice(-2).map((name) => `size(json(steps.${name}))`),
          ...(item === undefined ? [] : [`string(${item})`])
        ]
        const value = [id, ...parts.map((part) => `\${{ ${part} }}`)].join(" ")
        const config = { value, ms: plan.ms, fails: plan.fails }
        return { id, uses: "work", with: config, onError: this.#handler(plan.onError) }
      }
      case "group":
        return {
          id,
          if: plan.on ? "size(input.document.mimeType) > 3" : "size(input.document.mimeType) < 3",
          steps: this.block(plan.inside, seen, item),
          onError: this.#handler(plan.onError)
        }
      case "parallel":
        return { ...this.#branches(plan.branches, id, seen, item), onError: this.#handler(plan.onError) }
      case "loop": {
        const element = `e${this.#count++}`
        const list = Array.from({ length: plan.count }, (_, index) => index * 10)
        const concurrency = this.#schedule === "parallel" ? plan.concurrency : 1
        return {
          id,
          forEach: { in: list, as: element, concurrency, steps: this.block(plan.inside, seen, element) }
        }
      }
      case "switch":
        return {
          id,
          switch: {
            cases: plan.cases.map((inside, index) => ({
              when: `input.document.pageCount + ${index} == ${plan.chosen}`,
              steps: this.block(inside, seen, item)
            })),
            ...(plan.chosen > 2 ? {} : { default: this.block([], seen, item) })
          }
        }
    }
  }

  #branches(
    branches: ReadonlyArray<ReadonlyArray<Plan>>,
    id: string,
    seen: ReadonlyArray<string>,
    item: string | undefined
  ): StepSource {
    const blocks = branches.map(
      (inside, index) => [`${id}b${index}`, this.block(inside, seen, item)] as const
    )
    if (this.#schedule === "parallel") return { id, parallel: Object.fromEntries(blocks) }
    return {
      id,
      steps: blocks.map(([name, steps]) => ({ id: name, steps })),
      output: Object.fromEntries(blocks.map(([name]) => [name, `\${{ steps.${name} }}`]))
    }
  }

  #handler(how: OnError): NonNullable<StepSource["onError"]> {
    if (how === "continue") return "continue"
    return [
      { id: `s${this.#count++}`, uses: "transform", with: { value: "handled ${{ size(error.code) > 0 }}" } }
    ]
  }
}
