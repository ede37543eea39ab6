import { type ComponentChildren, h } from "preact"
import { html } from "htm/preact"
import { formatTime } from "./Format.ts"
import { useEffect, useRef } from "preact/hooks"
import { Link } from "./Router.ts"
import { cameBack } from "./ScrollPlaces.ts"

/** A state as a word with a colour; the word alone is sufficient. */
export const badge = (state: string): ComponentChildren =>
  html`<span class=${`badge badge-${state}`}>${state}</span>`

/** A point in time. */
export const time = (iso: string | null | undefined): ComponentChildren =>
  iso === null || iso === undefined ? "–" : html`<time datetime=${iso}>${formatTime(iso)}</time>`

const tailLength = 10

/** An id: in narrow columns, only its end, which differs between ids of the same minute. */
export const idText = (id: string): ComponentChildren =>
  html`<span class="id" title=${id}
    ><span class="id-head">${id.slice(0, -tailLength)}</span>${id.slice(-tailLength)}</span
  >`

/** A failure, announced immediately by screen readers. */
export const problemNote = (problem: string | undefined): ComponentChildren =>
  problem === undefined ? null : html`<p class="note note-bad" role="alert">${problem}</p>`

/** Shown until data has been loaded. */
export const loading = (problem: string | undefined): ComponentChildren =>
  problem === undefined
    ? html`<p class="empty" aria-busy="true">Loading …</p>`
    : html`<div>${problemNote(problem)}</div>`

/** Names with values. */
export const facts = (entries: ReadonlyArray<readonly [string, ComponentChildren]>): ComponentChildren =>
  html`<dl class="facts">
    ${entries.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`
    )}
  </dl>`

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
