import { h, type ComponentChildren } from "preact"
import { TextField } from "../elements/FormField.ts"

/** A field for a new password, within the lengths that docflow accepts. `more` is appended to its hint. */
export const NewPasswordField = ({
  label,
  more,
  name
}: {
  readonly label: string
  readonly more?: string
  readonly name: string
}): ComponentChildren =>
  h(TextField, {
    name,
    label,
    type: "password",
    required: true,
    minLength: 12,
    maxLength: 256,
    autoComplete: "new-password",
    hint: more === undefined ? "At least 12 characters." : `At least 12 characters. ${more}`
  })
