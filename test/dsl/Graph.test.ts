import { describe, expect, it } from "vitest"
import { toMermaid, toSvg } from "../../dsl/index.ts"
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

  it("is a drawing in which nothing lies over anything else", () => {
    const svg = toSvg(definition)
    expect(svg).toContain("Both &lt;sides&gt; &amp; &quot;more&quot;")
    const boxes = [
      ...svg.matchAll(
        /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"[^>]*fill="#e0f2fe"/gu
      )
    ].map((match) => match.slice(1).map(Number))
    expect(boxes).toHaveLength(7)
    const [width = 0, height = 0] = (/width="([\d.]+)" height="([\d.]+)"/u.exec(svg) ?? [])
      .slice(1)
      .map(Number)
    for (const [index, [x = 0, y = 0, w = 0, h = 0]] of boxes.entries()) {
      expect(x >= 0 && y >= 0 && x + w <= width && y + h <= height).toBe(true)
      for (const [x2 = 0, y2 = 0, w2 = 0, h2 = 0] of boxes.slice(index + 1)) {
        expect(x + w <= x2 || x2 + w2 <= x || y + h <= y2 || y2 + h2 <= y).toBe(true)
      }
    }
  })

  it("has room for its title, whose letters are larger than those of the steps", () => {
    const title = "A name that is wider than the steps of the flow"
    const { definition: named } = checked(
      `${head}steps: [{ id: read, uses: parse }]\noutput: { value: {} }\n`.replace(
        /^name: .*$/mu,
        `name: ${title}`
      )
    )
    const svg = toSvg(named)
    expect(svg).toContain(`>${title} `)
    expect(Number(/width="([\d.]+)"/u.exec(svg)?.[1])).toBeGreaterThan(title.length * 8)
  })
})
