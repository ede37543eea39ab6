import * as fc from "fast-check"

const nested = (levels: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Own members with names that JavaScript treats specially, as `JSON.parse` makes them. */
const polluting: unknown = JSON.parse(
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"toJSON":null}'
)

/** Texts that break programs which are not careful. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\u0000",
    "a\u0000b",
    "\uD800",
    "\uDFFFx",
    "\uFEFF",
    "\u202Etxt.exe",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "null",
    "NaN",
    "-0",
    "1e309",
    "../../../etc/passwd",
    "..",
    ".",
    "%00",
    "%",
    "\r\nSet-Cookie: a=b",
    "'; drop table executions; --",
    "${{ variables.a }}",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "🙂".repeat(100),
    "x".repeat(255),
    "x".repeat(256),
    "x".repeat(5000)
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 })
)

/** Values that belong in no field, or hardly in one. */
export const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: nastyText },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      0.5,
      -0,
      1e308,
      5e-324,
      2 ** 31,
      2 ** 53,
      -(2 ** 63),
      [],
      {},
      [[]],
      polluting,
      nested(50),
      nested(80),
      ["a", 1, null],
      Array.from({ length: 500 }, () => 0)
    )
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) }
)

/** Bodies that are hardly JSON, as bytes. */
export const nastyBody: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc
    .constantFrom(
      "",
      " ",
      "{",
      "}",
      "[]",
      "null",
      "0",
      '"input"',
      "\uFEFF{}",
      "{}{}",
      "{'input':1}",
      '{"input":1,}',
      '{"input":{},"input":{"document":{"base64":"AAAA"}}}',
      '{"__proto__":{"input":{"document":{"base64":"AAAA"}}}}',
      "[".repeat(70),
      '{"a":'.repeat(70),
      "NaN",
      '{"a":1e999999}',
      "// {}",
      "a=b&c=d",
      "<input/>"
    )
    .map((text) => Buffer.from(text)),
  fc.constantFrom(Buffer.from([0xff, 0xfe]), Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d])),
  fc.uint8Array({ maxLength: 60 })
)
