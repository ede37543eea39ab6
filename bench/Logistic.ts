import { sigmoid, type Weights } from "../src/extraction/models/RankingWeights.ts"

/** One observed value: its features, whether it was right, and how much it counts. */
export interface Observed {
  readonly features: Readonly<Record<string, number | undefined>>
  readonly right: boolean
  readonly weight: number
}

/** Solves a symmetric positive definite system by Cholesky's decomposition; `matrix` is changed. */
const solve = (matrix: ReadonlyArray<Float64Array>, right: Float64Array): Float64Array => {
  const n = right.length
  const at = (row: number, column: number): number => matrix[row]?.[column] ?? 0
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = at(i, j)
      for (let k = 0; k < j; k++) sum -= at(i, k) * at(j, k)
      const row = matrix[i]
      if (row !== undefined) row[j] = i === j ? Math.sqrt(Math.max(1e-9, sum)) : sum / at(j, j)
    }
  }
  const x = Float64Array.from(right)
  for (let i = 0; i < n; i++) {
    let sum = x[i] ?? 0
    for (let k = 0; k < i; k++) sum -= at(i, k) * (x[k] ?? 0)
    x[i] = sum / at(i, i)
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[i] ?? 0
    for (let k = i + 1; k < n; k++) sum -= at(k, i) * (x[k] ?? 0)
    x[i] = sum / at(i, i)
  }
  return x
}

const steps = 12
/** How often a step is halved that makes the fit worse. */
const halvings = 6

/**
 * Logistic regression by Newton's method, with a ridge that pulls the weights towards `prior`: what little data does not
 * contradict stays as it was (a Gaussian prior; Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 4.4).
 */
export const fit = (
  observed: ReadonlyArray<Observed>,
  names: ReadonlyArray<string>,
  prior: Weights,
  ridge: number
): Weights => {
  const before = Float64Array.from([prior.bias, ...names.map((name) => prior.features[name] ?? 0)])
  const beta = Float64Array.from(before)
  const rows = observed.map(({ features }) =>
    Float64Array.from([1, ...names.map((name) => features[name] ?? 0)])
  )
  const size = beta.length
  const loss = (at: Float64Array): number => {
    let all = 0
    for (const [i, value] of at.entries())
      all += ((i === 0 ? 0.1 : 1) * ridge * (value - (before[i] ?? 0)) ** 2) / 2
    for (const [i, row] of rows.entries()) {
      const { right, weight } = observed[i] ?? { right: false, weight: 0 }
      let sum = 0
      for (let j = 0; j < size; j++) sum += (at[j] ?? 0) * (row[j] ?? 0)
      const odds = right ? -sum : sum
      all += weight * (Math.max(0, odds) + Math.log1p(Math.exp(-Math.abs(odds))))
    }
    return all
  }
  let least = loss(beta)
  for (let step = 0; step < steps; step++) {
    const hessian = Array.from({ length: size }, (_, i) =>
      Float64Array.from({ length: size }, (_, j) => (i === j ? (i === 0 ? 0.1 : 1) * ridge : 0))
    )
    const gradient = Float64Array.from(
      beta,
      (value, i) => -(i === 0 ? 0.1 : 1) * ridge * (value - (before[i] ?? 0))
    )
    for (const [at, row] of rows.entries()) {
      const { right, weight } = observed[at] ?? { right: false, weight: 0 }
      let sum = 0
      for (let i = 0; i < size; i++) sum += (beta[i] ?? 0) * (row[i] ?? 0)
      const p = sigmoid(sum)
      const [slope, miss] = [weight * p * (1 - p), weight * ((right ? 1 : 0) - p)]
      for (let i = 0; i < size; i++) {
        const value = row[i] ?? 0
        if (value === 0) continue
        gradient[i] = (gradient[i] ?? 0) + miss * value
        const line = hessian[i]
        if (line !== undefined)
          for (let j = 0; j <= i; j++) line[j] = (line[j] ?? 0) + slope * value * (row[j] ?? 0)
      }
    }
    const change = solve(hessian, gradient)
    for (let part = 1; part >= 1 / 2 ** halvings; part /= 2) {
      const next = beta.map((value, i) => value + part * (change[i] ?? 0))
      const own = loss(next)
      if (own > least) continue
      beta.set(next)
      least = own
      break
    }
  }
  return {
    bias: beta[0] ?? 0,
    features: Object.fromEntries(names.map((name, i) => [name, beta[i + 1] ?? 0]))
  }
}
