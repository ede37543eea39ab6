import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"

/** A button that copies a string to the clipboard. Browsers have no clipboard without HTTPS; then there is no button. */
export const CopyButton = ({
  label,
  text
}: {
  readonly label: string
  readonly text: string
}): ComponentChildren => {
  const [said, say] = useState("")
  if (!("clipboard" in navigator)) return html`<span></span>`
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => say("Copied"),
      () => say("Not copied: select the text and copy it")
    )
  }
  return html`<span class="copy">
    <button type="button" onClick=${copy}>${label}</button>
    <span role="status">${said}</span>
  </span>`
}
