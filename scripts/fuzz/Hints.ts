import * as fc from "fast-check"
import { nastyText } from "./Nasty.ts"

/** A PDF of one empty page, small enough to be sent thousands of times. */
const smallPdf = (): Buffer => {
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>"
  ]
  let text = "%PDF-1.4\n"
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj${object}endobj\n`
    return `${String(offset).padStart(10, "0")} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 4\n0000000000 65535 f \n${offsets.join("")}trailer<</Size 4/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text)
}

/** It in base64. */
export const pdf = smallPdf().toString("base64")
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** The password of the user "fuzzer". */
export const password = "the password of the fuzzer"

const base64 = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(pdf, `data:application/pdf;base64,${pdf}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      png,
      `data:image/png;base64,${pdf}`,
      `data:application/pdf,plain`,
      `data:;base64,${pdf}`,
      `${pdf.slice(0, 40)}\n${pdf.slice(40)}`,
      pdf.slice(0, -1),
      pdf.slice(0, 100),
      "JVBERi0xLjQK",
      "AAAA",
      "====",
      "-_-_",
      "SGVsbG8="
    )
  },
  { weight: 1, arbitrary: fc.base64String({ maxLength: 80 }) }
)

/** Values for fields whose schema says only that they are texts; nothing here leaves the machine. */
export const hints: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  base64,
  url: fc.constantFrom(
    "https://receiver.invalid/invoice.pdf",
    "http://127.0.0.1:9/a.pdf",
    "file:///etc/passwd",
    "x"
  ),
  name: fc.oneof(
    fc.constantFrom("fuzzer", "Fuzzer"),
    fc.nat(10_000).map((n) => `user-${n}`),
    nastyText
  ),
  password: fc.oneof(
    { weight: 4, arbitrary: fc.constant(password) },
    { weight: 1, arbitrary: fc.constantFrom("wrong", "another long password", "x".repeat(257)) }
  ),
  side: fc.constantFrom("64", "200", "3200", "63", "3201", "x"),
  filename: fc.oneof(fc.constantFrom("invoice.pdf", "a.png", "x".repeat(10_000)), nastyText),
  mimeType: fc.constantFrom(
    "application/pdf",
    "APPLICATION/PDF; a=b",
    "application/octet-stream",
    "image/png",
    "text/plain",
    "/",
    ""
  ),
  version: fc.oneof(
    { weight: 4, arbitrary: fc.constant("1.0.0") },
    { weight: 1, arbitrary: fc.constantFrom("1.2.0", "1.10.0", "2.0.0-beta.1", "9.9.9", "latest", "", "1") }
  ),
  timeout: fc.integer({ min: 1, max: 3000 }),
  webhookUrl: fc.constantFrom(
    "https://receiver.invalid/hook",
    "https://receiver.invalid/again",
    "https://receiver.invalid/more",
    "http://127.0.0.1:9/hook",
    "https://127.0.0.1/",
    "http://[::1]:9/",
    "https://u:p@receiver.invalid/",
    "not a url",
    "//x"
  ),
  idempotencyKey: fc.oneof(
    fc.nat(40).map((n) => `again-${n}`),
    fc.uuid()
  ),
  variables: fc.oneof(
    fc.constantFrom<unknown>({}, { customer: "Ada" }, { customer: "Ada", copies: 2 }, { customer: "A" }),
    fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  ),
  include: fc.constantFrom(
    "artifacts",
    "metrics",
    "artifacts,metrics",
    "corrections,fields",
    "",
    "artifacts,",
    "all"
  ),
  limit: fc.oneof(
    fc.nat(150).map(String),
    fc.constantFrom("0", "1", "100", "101", "-1", "1.5", "1e2", "+5", "x")
  ),
  offset: fc.oneof(
    fc.nat(20).map(String),
    fc.constantFrom("0", "-1", "1000000000", "1000000001", "1e400", " ")
  ),
  "last-event-id": fc.constantFrom("", "0", "1", "3", "999999999"),
  flowId: fc.oneof(
    { weight: 4, arbitrary: fc.constant("greet") },
    { weight: 1, arbitrary: fc.constantFrom("learner", "nothing", "..", "x".repeat(101)) }
  ),
  fromStep: fc.constantFrom("say", "read", "judge", "extract", "nothing"),
  ifMatch: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -1, max: 3 }) }
  ),
  ids: fc.constantFrom<ReadonlyArray<string>>([], ["17"], ["exec_01M8JW2PSRKTZZ7DQ2B1128XSY"], ["nothing"]),
  confirmed: fc.constantFrom<ReadonlyArray<string>>([], [], ["/said"], ["said", "/nothing"]),
  path: fc.constantFrom("/said", "said", "/name", "/copies", "", "/", "/nothing", "/a~1b/0"),
  requestsPerMinute: fc.integer({ min: 1, max: 1_000_000 }),
  amount: fc.oneof(fc.integer({ min: -50, max: 1000 }), fc.constantFrom(0.001, -0.005, 1e9, -1e9, 0))
}
