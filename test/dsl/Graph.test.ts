import { describe, expect, it } from "vitest"
import { toMermaid } from "../../dsl/index.ts"
import { checked, head } from "./Support.ts"

const { definition } = checked(`${head}steps:
  - { id: read, uses: parse, timeout: 5m }
  - id: pages
    forEach:
      in: \${{ steps.read.document.pages }}
      as: page
      steps:
        - id: kind
          switch:
            cases:
              - when: page.width > 3 && page.height < 4
                steps:
                  - { id: one, uses: transform, with: { value: 1 } }
                  - { id: two, uses: transform, with: { value: 1 } }
            default: [{ id: other, uses: transform, with: { value: 1 } }]
    onError: [{ id: stop, uses: fail, with: { message: No } }]
  - id: both
    name: Both <sides> & "more"
    parallel: [{ id: l, uses: transform, with: { value: 1 } }, { id: r, uses: transform, with: { value: 1 } }]
output: { value: {} }
`)

describe("the graph of a flow", () => {
  it("is Mermaid", () => {
    expect(toMermaid(definition)).toBe(`flowchart TD
  document([document]) --> s0["read<br/>parse<br/>at most 5m"]
  subgraph s1["pages<br/>for each page in steps.read.document.pages"]
    direction TD
    subgraph s2["kind<br/>the first that holds"]
      direction TD
      subgraph s2_0["page.width #gt; 3 && page.height #lt; 4"]
        direction TD
        s3["one<br/>transform"]
        s3 --> s4["two<br/>transform"]
      end
      subgraph s2_1["else"]
        direction TD
        s5["other<br/>transform"]
      end
    end
    subgraph s1_1["when it fails"]
      direction TD
      s6["stop<br/>fail"]
    end
  end
  s0 --> s1
  subgraph s7["Both #lt;sides#gt; & #quot;more#quot;<br/>side by side"]
    direction TD
    s8["l<br/>transform"]
    s9["r<br/>transform"]
  end
  s1 --> s7
  s7 --> output([output])
`)
  })
})
