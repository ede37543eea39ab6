import { h, type ComponentChildren } from "preact"
import { useId, useRef, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { User } from "../../../domain/User.ts"
import { ConfirmButton } from "../elements/ConfirmButton.ts"
import { problemNote } from "../elements/Elements.ts"
import { Form } from "../elements/Form.ts"
import { NewPasswordField } from "../session/NewPasswordField.ts"
import { messageOf } from "../elements/Http.ts"
import type { Change } from "./UsersPage.ts"

interface ActionsProps {
  readonly user: User
  readonly change: Change
}

/** Gives a user a new password; disables or enables the user. */
export const UserActions = ({ change, user }: ActionsProps): ComponentChildren => {
  const [problem, setProblem] = useState<string>()
  const { disabled, id, name, signIn } = user
  const enable = () => {
    setProblem(undefined)
    change(id, { disabled: false }).catch((cause: unknown) => setProblem(messageOf(cause)))
  }
  return html`<div class="row-actions">
    ${signIn === "password" ? h(PasswordButton, { user, change }) : null}
    ${
      disabled
        ? html`<button type="button" aria-label=${`Enable ${name}`} onClick=${enable}>Enable</button>`
        : h(ConfirmButton, {
            action: "Disable",
            label: `Disable ${name}`,
            question: `Disable ${name}?`,
            consequence: `All sessions of ${name} end at once. The user can be enabled again.`,
            onConfirm: () => change(id, { disabled: true })
          })
    }
    ${problemNote(problem)}
  </div>`
}

const PasswordButton = ({ change, user: { id, name } }: ActionsProps): ComponentChildren => {
  const heading = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const save = async (data: FormData) => {
    await change(id, { password: String(data.get("password")) })
    dialog.current?.close()
  }
  return html`<button
      type="button"
      aria-label=${`Set the password of ${name}`}
      onClick=${() => dialog.current?.showModal()}
    >
      Password
    </button>
    <dialog ref=${dialog} aria-labelledby=${heading}>
      <h2 id=${heading}>New password of ${name}</h2>
      ${h(
        Form,
        { action: "Set the password", onSubmit: save },
        h(NewPasswordField, { name: "password", label: "Password", more: `All sessions of ${name} end.` })
      )}
      <div class="buttons dialog-end">
        <button type="button" onClick=${() => dialog.current?.close()}>Cancel</button>
      </div>
    </dialog>`
}
