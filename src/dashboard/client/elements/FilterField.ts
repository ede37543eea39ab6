import { type ComponentChildren, h } from "preact"
import { useEffect, useState } from "preact/hooks"
import { TextField } from "./FormField.ts"

interface FilterProps {
  readonly label: string
  readonly type: "search" | "date"
  /** What the list is filtered by now. */
  readonly value: string
  readonly placeholder?: string
  readonly onFilter: (value: string) => void
}

/** While `2026` is being typed, browsers report the days of the years 2, 20 and 202. */
const isBeingTyped = (value: string): boolean => value.startsWith("0")

/** A field that filters a list. What is being typed stays when the list is drawn again. */
export const FilterField = ({
  label,
  onFilter,
  placeholder = "",
  type,
  value
}: FilterProps): ComponentChildren => {
  const [typed, keep] = useState(value)
  useEffect(() => keep(value), [value])
  const events = {
    onInput: (event: Event) => {
      if (event.currentTarget instanceof HTMLInputElement) keep(event.currentTarget.value)
    },
    onChange: (event: Event) => {
      if (!(event.currentTarget instanceof HTMLInputElement)) return
      const wanted = event.currentTarget.value.trim()
      if (wanted !== value && !(type === "date" && isBeingTyped(wanted))) onFilter(wanted)
    }
  }
  return type === "date"
    ? h(TextField, { label, type, value: typed, ...events })
    : h(TextField, { label, type, value: typed, placeholder, ...events })
}
