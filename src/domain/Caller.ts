import { Context } from "effect"

/** The organization for which a model is asked; providers share their places by it. Empty outside a service. */
export class Caller extends Context.Reference<{ readonly organization: string }>("docflow/domain/Caller", {
  defaultValue: () => ({ organization: "" })
}) {}
