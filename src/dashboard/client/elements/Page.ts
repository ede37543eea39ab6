import { type ComponentChildren, h } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { html } from "htm/preact"
import { Link } from "./Router.ts"
import { cameBack } from "./ScrollPlaces.ts"

interface PageProps {
  readonly title: string
  /** The pages above this one, from the top. */
  readonly above?: ReadonlyArray<readonly [title: string, address: string]>
  /** What is next to the heading. */
  readonly trailing?: ComponentChildren
  readonly children?: ComponentChildren
}

let shownBefore = false

/** One page: its breadcrumbs, heading and content. The heading receives the focus, as on page load. */
export const Page = ({ above = [], children, title, trailing }: PageProps): ComponentChildren => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · docflow`
  }, [title])
  useEffect(() => {
    if (shownBefore) {
      heading.current?.focus({ preventScroll: true })
      if (!cameBack()) scrollTo(0, 0)
    }
    shownBefore = true
  }, [])
  return html`<div>
    ${
      above.length === 0
        ? null
        : html`<nav class="above" aria-label="Where this is">
            ${above.map(
              ([name, address], index) =>
                html`${index === 0 ? null : html`<span aria-hidden="true"> / </span>`}${h(Link, { to: address }, name)}`
            )}
          </nav>`
    }
    <div class="heading">
      <h1 tabindex="-1" ref=${heading}>${title}</h1>
      ${trailing}
    </div>
    ${children}
  </div>`
}
