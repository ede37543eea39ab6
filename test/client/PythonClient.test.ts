import { execFile, spawnSync } from "node:child_process"
import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { useService } from "../support/TestService.ts"

const service = useService()
let settings: Record<string, string> = {}
beforeAll(async () => {
  const { live } = await service.it.tenant()
  settings = { DOCFLOW_KEY: live, DOCFLOW_URL: service.it.address }
})

/** Runs a program with the client on its path; what it printed, as JSON. */
const python = (program: string): Promise<unknown> =>
  new Promise((done, failed) => {
    const env = {
      ...process.env,
      ...settings,
      PYTHONPATH: resolve("clients/python"),
      PYTHONDONTWRITEBYTECODE: "1"
    }
    const head =
      "import asyncio, json, os\nfrom docflow import *\nsettings = dict(api_key=os.environ['DOCFLOW_KEY'], base_url=os.environ['DOCFLOW_URL'])\ndocument = document_of(open('examples/invoice.pdf', 'rb').read(), filename='invoice.pdf')\n"
    execFile("python3", ["-c", head + program], { env }, (failure, out, error) =>
      failure === null ? done(JSON.parse(out)) : failed(new Error(error))
    )
  })

const isThere = spawnSync("python3", ["--version"]).status === 0

describe.skipIf(!isThere)("the Python client", () => {
  it("runs, follows, replays and cancels, and says what was refused", async () => {
    const said = await python(`
api = Docflow(**settings)
ended = api.run_to_end("greet", document, metadata={"customer": "42"})
seen = [event["event"] for event in api.events(ended["id"])]
replayed = api.wait_for(api.replay(ended["id"], version="1.2.0")["id"])
held = api.run("hold", document, variables={"gate": "python"})
cancelled = api.cancel(held["id"])
paid = api.run_to_end("invoice", document)["id"]
first = api.corrections(paid)["ifMatch"]
corrected = api.save_corrections(paid, first, [{"path": "/totalAmount", "value": 12.5}], ["/currency"])
kept = [corrected["output"]["totalAmount"], corrected["confirmed"][0]["path"], corrected["ifMatch"] - first]
tested = next(api.backtest("invoice"))
kept += [tested["executionId"] == paid, sorted(value["verdict"] for value in tested["values"])]
try:
    api.get("exec_none")
except ApiError as error:
    refused = [error.status, error.code, error.request_id[:4], "(request req_" in str(error)]
try:
    api.run("greet", document, webhook_events=["corrections.saved"])
except ApiError as error:
    refused.append(error.details["reason"])
print(json.dumps([ended["output"], ended["metadata"], seen[0], seen[-1], replayed["output"], cancelled["status"],
    refused, len(list(api.flows())) == api.list_flows(limit=1)["total"], api.last_response.remaining is not None, kept]))`)
    expect(said).toEqual([
      { said: "hello from 1.10.0" },
      { customer: "42" },
      "execution.pending",
      "execution.completed",
      { said: "hello from 1.2.0" },
      "cancelled",
      [404, "EXECUTION_NOT_FOUND", "req_", true, "webhookEvents requires one"],
      true,
      true,
      [12.5, "/currency", 1, true, ["stayed-right", "stayed-wrong"]]
    ])
  })

  it("does the same without blocking", async () => {
    const said = await python(`
async def main():
    api = AsyncDocflow(**settings)
    both = await asyncio.gather(api.run_to_end("greet", document), api.run_to_end("greet", document))
    seen = [event["event"] async for event in api.events(both[0]["id"])]
    print(json.dumps([[one["status"] for one in both], both[0]["id"] != both[1]["id"], seen[-1]]))
asyncio.run(main())`)
    expect(said).toEqual([["completed", "completed"], true, "execution.completed"])
  })

  it("verifies webhooks, and so does the program of the guide", async () => {
    const secret = "my secret 🔑"
    const seconds = String(Math.floor(performance.timeOrigin / 1000 + performance.now() / 1000))
    const body = JSON.stringify({ type: "execution.completed", data: { id: "exec_1" } })
    const signature = createHmac("sha256", secret).update(`dlv_1.${seconds}.${body}`).digest("base64")
    const guide = /```python\n([^]*?)```/u.exec(readFileSync("docs/api.md", "utf8"))?.[1] ?? ""
    const said = await python(`
headers = {"Webhook-Id": "dlv_1", "Webhook-Timestamp": "${seconds}", "Webhook-Signature": "v1,${signature}"}
body, secret = json.loads(${JSON.stringify(JSON.stringify(body))}).encode(), "${secret}"
def outcome(verify, *given):
    try:
        return verify(*given)["data"]["id"]
    except (WebhookRefused, ValueError) as error:
        return type(error).__name__
first = [outcome(verify_webhook, body, headers, secret), outcome(verify_webhook, body + b" ", headers, secret),
    outcome(verify_webhook, body, {**headers, "Webhook-Timestamp": "1"}, secret), outcome(verify_webhook, body, headers, "")]
${guide}
second = [outcome(verify_webhook, body, headers, secret), outcome(verify_webhook, body + b" ", headers, secret)]
print(json.dumps([first, second]))`)
    expect(said).toEqual([
      ["exec_1", "WebhookRefused", "WebhookRefused", "WebhookRefused"],
      ["exec_1", "ValueError"]
    ])
  })
})
