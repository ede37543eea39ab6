import { Docflow } from "docflow"
import { readFile } from "node:fs/promises"

await using docflow = Docflow.open()
const result = await docflow.run("flows/invoice/1.0.0.yaml", await readFile("examples/invoice.pdf"))
console.log(result.status, result.output)
console.log("evidence for the total:", result.fields.totalAmount)
