/** An amount in cents, as an integer, so that sums compare exactly. */
export const inCents = (amount: number): number => Math.round(amount * 100)

/** A number rounded to hundredths. */
export const hundredths = (value: number): number => inCents(value) / 100
