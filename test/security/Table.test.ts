import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { table } from "./Table.ts"

test.each(table.map(({ attack, tested }) => [attack, tested] as const))(
  "%s is tested where the table says",
  (_, tested) => {
    for (const [file, names] of Object.entries(tested)) {
      const source = readFileSync(`test/${file}`, "utf8")
      for (const name of names) expect(source, `${file} tests "${name}"`).toContain(name)
    }
  }
)
