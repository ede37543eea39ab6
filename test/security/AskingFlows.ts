/** What a flow of the tests tells a model: it is part of the flow, and of nothing that is kept of an execution. */
export const prompt = "Say in five words what this is."

/** A flow that lets a model say something about the document. */
export const asking = `docflow: 1
id: asking
version: 1.0.0
name: Asking
document: { formats: [text/plain] }
steps:
  - id: read
    uses: parse
    with: { document: "\${{ input.document }}" }
  - id: ask
    uses: generate
    with: { document: "\${{ steps.read.document }}", prompt: "${prompt}" }
output:
  value: { text: "\${{ steps.ask.text }}" }
`

/** A flow that posts the document's text to another service, with a secret. */
export const lookingUp = (origin: string) => `docflow: 1
id: looking-up
version: 1.0.0
name: Looking up
document: { formats: [text/plain] }
steps:
  - id: read
    uses: parse
    with: { document: "\${{ input.document }}" }
  - id: ask
    uses: lookup
    with:
      url: ${origin}/names
      method: POST
      headers: { Authorization: { secret: NAMES, prefix: "Bearer " } }
      body: { text: "\${{ steps.read.document.pages[0].lines[0].text }}" }
      expect: { type: object, required: [name], properties: { name: { type: string } } }
      timeout: 60s
output:
  value: { name: "\${{ steps.ask.body.name }}" }
`
