import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"

interface DropProps {
  readonly onFiles: (files: ReadonlyArray<File>) => void
  readonly text?: string
  readonly many?: boolean
}

/** Where documents are dropped or chosen. */
export const DropZone = ({
  many = true,
  onFiles,
  text = "Drop documents here, or choose them."
}: DropProps): ComponentChildren => {
  const [over, setOver] = useState(false)
  return html`<label
    class=${over ? "drop is-over" : "drop"}
    onDragOver=${(event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    }}
    onDragLeave=${() => setOver(false)}
    onDrop=${(event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      onFiles([...(event.dataTransfer?.files ?? [])])
    }}
  >
    <span>${text}</span>
    <input
      type="file"
      multiple=${many}
      onChange=${({ currentTarget }: Event) => {
        if (!(currentTarget instanceof HTMLInputElement)) return
        const files = [...(currentTarget.files ?? [])]
        // Otherwise the same file, chosen again, would be no change.
        currentTarget.value = ""
        onFiles(files)
      }}
    />
  </label>`
}

const ignore = (event: DragEvent): void => {
  if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return
  event.preventDefault()
  event.dataTransfer.dropEffect = "none"
}

/** A file that is dropped next to where documents are dropped is ignored: the browser would leave the page to show it. */
export const ignoreStrayFiles = (): void => {
  addEventListener("dragover", ignore)
  addEventListener("drop", ignore)
}

/** A file in base64, without the head of its data URL. */
export const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    if (file.size === 0) throw new Error(`${file.name} is empty. Choose another file.`)
    const reader = new FileReader()
    reader.addEventListener("load", () => resolve(String(reader.result).replace(/^[^,]*,/u, "")))
    reader.addEventListener("error", () => reject(new Error(`${file.name} cannot be read`)))
    reader.readAsDataURL(file)
  })
