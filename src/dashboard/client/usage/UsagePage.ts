import { h, type ComponentChildren } from "preact"
import { Page } from "../elements/Page.ts"
import { UsageView } from "./UsageView.ts"

/** The use of all organizations. */
export const UsagePage = (): ComponentChildren =>
  h(
    Page,
    { title: "Usage" },
    h(UsageView, {
      path: "/usage",
      by: "Organization",
      empty: "Nothing was used yet. As soon as an organization runs documents, its use is shown here."
    })
  )
