import { h, type ComponentChildren } from "preact"
import { useRef, useState } from "preact/hooks"
import type { ExecutionView } from "../../ExecutionView.ts"
import type { PageSizes } from "../../../domain/PageText.ts"
import { SelectField } from "../elements/FormField.ts"
import { call } from "../elements/Http.ts"
import { useResource } from "../elements/UseResource.ts"
import type { Item } from "./ViewerItems.ts"

/** The file that is shown: the document that was sent, or one inside it. */
interface Files {
  /** Empty for the document that was sent. */
  readonly attachment: string
  readonly attachments: PageSizes["attachments"]
  readonly sizes: PageSizes | undefined
  readonly problem: string | undefined
  readonly show: (attachment: string) => void
}

/** A file that somebody picked while a field was chosen. */
interface Picked {
  readonly attachment: string
  readonly forField: string | undefined
}

/** A file of an execution's document, as requests for its pages name it. */
export interface PageFile {
  readonly executionId: string
  readonly attachment?: string
}

/** Names a file for requests: without an attachment, the document that was sent. */
export const fileOf = (executionId: string, attachment: string): PageFile =>
  attachment === "" ? { executionId } : { executionId, attachment }

const pagesOf = (file: PageFile) => call("GET /api/v1/runs/:executionId/pages", file)

/**
 * The file that was picked, until another field is chosen; otherwise the file of the chosen field, and until one is chosen,
 * the file that most fields were read from.
 */
export const useFiles = (
  { execution: { id: executionId }, pages }: ExecutionView,
  items: ReadonlyArray<Item>,
  chosen: Item | undefined
): Files => {
  // While the execution runs, and if its pages cannot be read, they do not come with it.
  const asked = useResource<PageSizes>(pages === null ? pagesOf({ executionId }) : undefined)
  const own = pages ?? asked.data
  const attachments = own?.attachments ?? []
  const [picked, setPicked] = useState<Picked>()
  const last = useRef<string | undefined>(undefined)
  const numberOf = (file: string | undefined): string =>
    attachments.find(({ name }) => name === file)?.attachment ?? ""
  // Not in an effect, which could run after a pick that follows immediately, and undo it.
  const ofChosen = chosen?.page === undefined ? undefined : numberOf(chosen.file)
  const decided = picked?.forField === chosen?.key ? (picked?.attachment ?? ofChosen) : ofChosen
  if (decided !== undefined) last.current = decided
  const placed = items.filter(({ page }) => page !== undefined)
  const fromFiles = placed.filter(({ file }) => file !== undefined)
  const usual = fromFiles.length > placed.length / 2 ? numberOf(fromFiles[0]?.file) : ""
  const attachment = last.current ?? usual
  const inside = useResource<PageSizes>(attachment === "" ? undefined : pagesOf({ executionId, attachment }))
  return {
    attachment,
    attachments,
    sizes: attachment === "" ? own : inside.data,
    problem: asked.problem ?? inside.problem,
    show: (attachment) => setPicked({ attachment, forField: chosen?.key })
  }
}

/** A choice among the files of the document, if there are any inside it. */
export const filePicker = ({ attachment, attachments, show }: Files): ComponentChildren =>
  attachments.length === 0
    ? null
    : h(SelectField, {
        name: "file",
        label: "File",
        value: attachment,
        options: [
          ["", "The document that was sent"],
          ...attachments.map(({ attachment: number, name }) => [number, name || `File ${number}`] as const)
        ],
        onChange: show
      })
