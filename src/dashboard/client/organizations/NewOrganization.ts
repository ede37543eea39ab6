import { h, type ComponentChildren } from "preact"
import { useRef, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { Organization } from "../../../domain/Organization.ts"
import { SelectField, TextField } from "../elements/FormField.ts"
import { Form, textOf } from "../elements/Form.ts"
import { post } from "../elements/Http.ts"
import { navigate } from "../elements/Router.ts"

const plans = [
  ["free", "free"],
  ["pro", "pro"],
  ["enterprise", "enterprise: with limits of its own"]
] as const

const numbers = ["credits", "requestsPerMinute", "concurrentExecutions"] as const

/** A form that makes an organization and leads to it. */
export const NewOrganization = ({ onMade }: { readonly onMade: () => void }): ComponentChildren => {
  const [plan, setPlan] = useState("pro")
  const panel = useRef<HTMLDetailsElement>(null)
  const make = async (data: FormData) => {
    const given = numbers.flatMap((name) => {
      const text = textOf(data, name)
      return text === "" ? [] : [[name, Number(text)]]
    })
    const made = await post<Organization>("/organizations", {
      name: textOf(data, "name"),
      plan,
      ...Object.fromEntries(given)
    })
    if (panel.current !== null) panel.current.open = false
    onMade()
    navigate(`/dashboard/organizations/${made.id}`)
  }
  const count = { type: "number", min: 1, step: 1, inputMode: "numeric" } as const
  return html`<details class="card" ref=${panel}>
    <summary>Create an organization</summary>
    ${h(
      Form,
      { action: "Create the organization", onSubmit: make },
      h(TextField, { name: "name", label: "Name", required: true, maxLength: 200, autoComplete: "off" }),
      h(SelectField, { name: "plan", label: "Plan", value: plan, options: plans, onChange: setPlan }),
      h(TextField, { name: "credits", label: "Initial credits", type: "number", min: 0, step: "any" }),
      plan === "enterprise"
        ? html`<div class="fields">
            ${h(TextField, { ...count, name: "requestsPerMinute", label: "Requests per minute", hint: "1000 when empty" })}
            ${h(TextField, { ...count, name: "concurrentExecutions", label: "Concurrent executions", hint: "50 when empty" })}
          </div>`
        : null
    )}
  </details>`
}
