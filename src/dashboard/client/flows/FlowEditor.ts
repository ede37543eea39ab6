import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { yaml } from "@codemirror/lang-yaml"
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language"
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint"
import { EditorState, type Text } from "@codemirror/state"
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view"
import {
  autocompletion,
  type CompletionContext,
  completionKeymap,
  type CompletionResult
} from "@codemirror/autocomplete"
import { tags } from "@lezer/highlight"
import type { FileProblem } from "../../FlowFilesGroup.ts"
import { ask } from "../elements/Http.ts"

const types = { key: "property", value: "enum", name: "variable" } as const

/** What the service offers at the cursor; nothing if it cannot be asked, because typing goes on without it. */
const offered = async ({
  explicit,
  matchBefore,
  pos,
  state
}: Pick<CompletionContext, "explicit" | "pos" | "state"> & {
  readonly matchBefore: boolean
}): Promise<CompletionResult | null> => {
  if (!explicit && !matchBefore) return null
  const found = await ask("POST /dashboard/api/drafts/complete", {
    body: { source: state.doc.toString(), position: pos }
  }).catch(() => undefined)
  if (found === undefined || found.words.length === 0) return null
  return {
    from: found.from,
    validFor: /^[\w/-]*$/u,
    options: found.words.map(({ info = "", kind, label }, index) => ({
      label,
      type: types[kind],
      info,
      apply: kind === "key" && state.sliceDoc(pos, pos + 1) !== ":" ? `${label}: ` : label,
      // The service's order: what is required comes first.
      boost: Math.max(-99, -index)
    }))
  }
}

/** Offers keys, values and names while a flow is typed, and on Ctrl+Space. */
const completeFlow = autocompletion({
  icons: false,
  override: [
    (context) =>
      offered({
        explicit: context.explicit,
        pos: context.pos,
        state: context.state,
        matchBefore: context.matchBefore(/[\w/-]+|: |\.|- /u) !== null
      })
  ]
})

/** An editor in the page. */
export interface Editor {
  /** Marks what the checker found. */
  readonly mark: (problems: ReadonlyArray<FileProblem>) => void
  /** Scrolls to a line, counted from 1. */
  readonly show: (line: number) => void
  readonly end: () => void
}

interface EditorOptions {
  readonly source: string
  readonly onChange: (source: string) => void
}

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--quiet)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.meta, tags.keyword, tags.typeName], color: "var(--warn)" }
])

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--card)", fontSize: "13px" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": {
    color: "var(--quiet)",
    backgroundColor: "var(--ground)",
    borderRight: "1px solid var(--line)"
  },
  ".cm-activeLine": { backgroundColor: "var(--idle-ground)" },
  ".cm-tooltip": { color: "var(--text)", backgroundColor: "var(--card)", border: "1px solid var(--line)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "14rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    color: "var(--accent-text)",
    backgroundColor: "var(--accent)"
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "bold" },
  ".cm-completionInfo": { maxWidth: "22rem", padding: "0.5rem" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", maxWidth: "32rem" }
})

/** The range of a problem: from its column to the end of the line, or the whole line if that is empty. */
const placeOf = (text: Text, { column, line }: FileProblem) => {
  const found = text.line(Math.min(Math.max(1, line), text.lines))
  const from = Math.min(found.from + Math.max(0, column - 1), found.to)
  return { from: from === found.to ? found.from : from, to: found.to }
}

const diagnosticOf = (text: Text, problem: FileProblem): Diagnostic => ({
  ...placeOf(text, problem),
  severity: "error",
  message: problem.suggestion === undefined ? problem.message : `${problem.message}\n${problem.suggestion}`
})

/**
 * Replaces a selection with what is typed: the browser would copy the styles of the replaced text, which the
 * Content-Security-Policy refuses.
 */
const replaceSelection = (event: InputEvent, view: EditorView): boolean => {
  const { data, inputType } = event
  if (inputType !== "insertText" || data === null || view.state.selection.main.empty) return false
  view.dispatch(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true })
  return true
}

/**
 * Puts an editor into an element. It is in a shadow root: there its styles are sheets made by script, which the page's
 * Content-Security-Policy allows, and not style elements, which it forbids.
 */
export const openEditor = (host: HTMLElement, { onChange, source }: EditorOptions): Editor => {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" })
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: source,
      extensions: [
        lineNumbers(),
        history(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        yaml(),
        syntaxHighlighting(colours),
        lintGutter(),
        completeFlow,
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        look,
        EditorView.contentAttributes.of({
          "aria-label": "The flow as YAML",
          tabindex: "0",
          spellcheck: "false"
        }),
        EditorView.domEventHandlers({ beforeinput: replaceSelection }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) onChange(state.doc.toString())
        })
      ]
    })
  })
  return {
    mark: (problems) => {
      const diagnostics = problems.map((problem) => diagnosticOf(view.state.doc, problem))
      view.dispatch(setDiagnostics(view.state, diagnostics))
    },
    show: (line) => {
      const { from } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines))
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: "center" })
      })
      view.focus()
    },
    end: () => view.destroy()
  }
}
