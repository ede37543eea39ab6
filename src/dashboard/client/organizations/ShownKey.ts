import { h, type ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { html } from "htm/preact"
import { CopyButton } from "../elements/CopyButton.ts"
import type { MadeKey } from "./NewKey.ts"

/** A new key, which is shown only once. */
export const ShownKey = ({
  made,
  onDone
}: {
  readonly made: MadeKey
  readonly onDone: () => void
}): ComponentChildren => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return html`<section class="card card-good" aria-labelledby="made-key">
    <h2 id="made-key" tabindex="-1" ref=${heading}>The key “${made.name}” was made</h2>
    <p>Copy it now: only its hash is kept, so it is never shown again.</p>
    <div class="secret">
      <input
        readonly
        aria-label="The key"
        value=${made.key}
        onFocus=${(event: FocusEvent) => {
          if (event.currentTarget instanceof HTMLInputElement) event.currentTarget.select()
        }}
      />
      ${h(CopyButton, { label: "Copy the key", text: made.key })}
    </div>
    <div class="buttons">
      <button type="button" class="primary" onClick=${onDone}>I have copied it</button>
    </div>
  </section>`
}
