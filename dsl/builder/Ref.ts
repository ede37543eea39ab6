/** The type of a field whose object or value may be absent: null represents both. */
type FieldOf<A, K extends keyof NonNullable<A>> =
  | Exclude<NonNullable<A>[K], undefined>
  | (Partial<Pick<NonNullable<A>, K>> extends Pick<NonNullable<A>, K> ? null : never)
  | (null extends A ? null : never)

/** A value that is known when the flow runs: an expression with the type of its value. */
export class Ref<A> {
  /** The text between `${{` and `}}`. */
  readonly expression: string
  /** For the compiler only; never has a value. */
  declare readonly type?: A

  constructor(expression: string) {
    this.expression = expression
  }

  /** A field of the value. */
  at<B, const K extends Extract<keyof NonNullable<B>, string>>(this: Ref<B>, name: K): Ref<FieldOf<B, K>> {
    return new Ref(
      /^[A-Za-z_]\w*$/u.test(name)
        ? `${this.expression}.${name}`
        : `${this.expression}[${JSON.stringify(name)}]`
    )
  }

  /** As it appears in a flow file; also inside a longer string. */
  toString(): string {
    return `\${{ ${this.expression} }}`
  }
}

/** An expression in CEL syntax. Its author states the type, and the checker verifies it. */
export const expression = <A>(text: string): Ref<A> => new Ref(text)

/** What may be written where an `A` is expected: the value, a reference to one, or a mixture. */
export type Written<A> =
  | Ref<A>
  | (A extends ReadonlyArray<infer Item>
      ? ReadonlyArray<Written<Item>>
      : A extends object
        ? { readonly [K in keyof A]: Written<A[K]> }
        : A)
