import { Redacted } from "effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { attemptHeaders } from "../../src/services/webhooks/Attempt.ts"

const guide = readFileSync("docs/api.md", "utf8")
const codeIn = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^]*?verify[^]*?)\`\`\``, "iu").exec(guide)?.[1] ?? ""

/** Go's library is compiled once for all runs, and without inlining: in three quarters of the time. */
const compiledGo = resolve("node_modules/.cache/docflow-go")

const has = (program: string, argument: string): boolean => spawnSync(program, [argument]).status === 0

const secret = "the secret of the guide"
const body = Buffer.from('{"event":"execution.completed","data":{"status":"completed"}}')
const sign = (minutesAgo: number) => {
  const at = new Date(Date.now() - minutesAgo * 60_000)
  return attemptHeaders({ id: "dlv_1", at, body }, Redacted.make(secret))
}
/** Webhooks, and whether the code must accept them. */
const webhooks = [
  { name: "right", body: body.toString(), headers: sign(0), accepted: true },
  { name: "another body", body: `${body.toString()} `, headers: sign(0), accepted: false },
  { name: "too old", body: body.toString(), headers: sign(10), accepted: false }
]
const expected = webhooks.map(({ accepted, name }) => `${name}: ${accepted}`)

const python = `
import json, sys
for webhook in json.load(sys.stdin):
    try:
        verify_webhook(webhook["body"].encode(), webhook["headers"], "${secret}")
        print(f"{webhook['name']}: true")
    except ValueError:
        print(f"{webhook['name']}: false")
`
// Without net/http, which takes most of the time to compile.
const go = `package main

import (
	"encoding/json"
	"fmt"
	"os"

	"example.com/guide/webhook"
)

type headers map[string]string

func (given headers) Get(name string) string {
	return given[name]
}

func main() {
	var webhooks []struct {
		Name, Body string
		Headers    headers
	}
	if err := json.NewDecoder(os.Stdin).Decode(&webhooks); err != nil {
		panic(err)
	}
	for _, sent := range webhooks {
		fmt.Printf("%s: %t\\n", sent.Name, webhook.Verify([]byte(sent.Body), sent.Headers, "${secret}") == nil)
	}
}
`

describe("the code of the guide that verifies webhooks", () => {
  let folder = ""
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "docflow-guide-"))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = (program: string, args: ReadonlyArray<string>) =>
    spawnSync(program, args, {
      cwd: folder,
      input: JSON.stringify(webhooks),
      encoding: "utf8",
      env: { ...process.env, GOPROXY: "off", GOCACHE: compiledGo, GOFLAGS: "-mod=mod -gcflags=all=-l" }
    })

  it.skipIf(!has("python3", "--version"))("in Python accepts what docflow signed, and nothing else", () => {
    writeFileSync(join(folder, "receiver.py"), codeIn("python") + python)
    const { stderr, stdout } = run("python3", ["receiver.py"])
    expect([stderr, stdout.trim().split("\n")]).toEqual(["", expected])
  })

  it.skipIf(!has("go", "version"))("in Go compiles, accepts what docflow signed, and nothing else", () => {
    mkdirSync(join(folder, "webhook"))
    writeFileSync(join(folder, "go.mod"), "module example.com/guide\n\ngo 1.19\n")
    writeFileSync(join(folder, "webhook/webhook.go"), codeIn("go"))
    writeFileSync(join(folder, "main.go"), go)
    expect(spawnSync("gofmt", ["-l", "."], { cwd: folder, encoding: "utf8" }).stdout).toBe("")
    const { stderr, stdout } = run("go", ["run", "."])
    expect([stderr, stdout.trim().split("\n")]).toEqual(["", expected])
  })
})
