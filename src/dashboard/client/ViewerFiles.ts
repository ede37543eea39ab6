import { h, type ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { PageSizes } from "../../domain/PageText.ts"
import { SelectField } from "./FormField.ts"
import { useResource } from "./UseResource.ts"
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

/** Where the pages of a file are asked for. */
export const pagesPath = (executionId: string, attachment: string, rest = ""): string => {
  const [path = "", query = ""] = rest.split("?")
  const parameters = new URLSearchParams(query)
  if (attachment !== "") parameters.set("attachment", attachment)
  return `/executions/${executionId}/pages${path}${parameters.size === 0 ? "" : `?${parameters}`}`
}

/** The file of the chosen field; until one is chosen, the file that most fields were read from. */
export const useFiles = (
  executionId: string,
  items: ReadonlyArray<Item>,
  chosen: Item | undefined
): Files => {
  const own = useResource<PageSizes>(pagesPath(executionId, ""))
  const attachments = own.data?.attachments ?? []
  const [wanted, setWanted] = useState<string>()
  const numberOf = (file: string | undefined): string =>
    attachments.find(({ name }) => name === file)?.attachment ?? ""
  useEffect(() => {
    if (chosen?.page !== undefined) setWanted(numberOf(chosen.file))
  }, [chosen?.key, own.data])
  const placed = items.filter(({ page }) => page !== undefined)
  const fromFiles = placed.filter(({ file }) => file !== undefined)
  const usual = fromFiles.length > placed.length / 2 ? numberOf(fromFiles[0]?.file) : ""
  const attachment = wanted ?? usual
  const inside = useResource<PageSizes>(pagesPath(executionId, attachment))
  return {
    attachment,
    attachments,
    sizes: attachment === "" ? own.data : inside.data,
    problem: own.problem ?? inside.problem,
    show: setWanted
  }
}

/** A choice among the files of the document, if it has any besides itself. */
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
