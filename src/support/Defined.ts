type Defined<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Removes members that are undefined: an optional property is absent, never undefined. */
export function defined<const T extends object>(members: T): Defined<T>
export function defined(members: Readonly<Record<string, unknown>>): object {
  const present: Record<string, unknown> = {}
  for (const name of Object.keys(members)) if (members[name] !== undefined) present[name] = members[name]
  return present
}
