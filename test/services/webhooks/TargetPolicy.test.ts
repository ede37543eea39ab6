import { assert, describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import type { LookupAddress } from "node:dns"
import { NameNotResolved, Resolver, targetOf } from "../../../src/providers/outbound/OutboundHttp.ts"
import { problemWithAddress, problemWithUrl } from "../../../src/providers/outbound/TargetPolicy.ts"

describe("a live key's webhook may not go to", () => {
  it.each([
    ["the loopback address", "https://127.0.0.1/"],
    ["the platform address of Azure", "https://168.63.129.16/"],
    ["a short form of it", "https://127.1/"],
    ["its decimal form", "https://2130706433/"],
    ["its hexadecimal form", "https://0x7f.1/"],
    ["its one hexadecimal number", "https://0x7f000001/"],
    ["its octal form", "https://0177.0.0.1/"],
    ["its form in full-width digits", "https://１２７．０．０．１/"],
    ["its form in circled digits", "https://①②⑦.⓪.⓪.①/"],
    ["its form with ideographic stops", "https://127。0。0。1/"],
    ["its form with a final dot", "https://127.0.0.1./"],
    ["its percent-encoded form", "https://%31%32%37.0.0.1/"],
    ["another loopback address", "https://127.255.255.254/"],
    ["any address of this machine", "https://0.0.0.0/"],
    ["its short form", "https://0/"],
    ["the IPv6 loopback address", "https://[::1]/"],
    ["its long form", "https://[0:0:0:0:0:0:0:1]/"],
    ["the unspecified IPv6 address", "https://[::]/"],
    ["an IPv4-mapped address", "https://[::ffff:127.0.0.1]/"],
    ["its hexadecimal form, mapped", "https://[::ffff:7f00:1]/"],
    ["an IPv4-mapped public address", "https://[::ffff:8.8.8.8]/"],
    ["an IPv4-compatible address", "https://[::127.0.0.1]/"],
    ["an IPv4-translated address", "https://[::ffff:0:127.0.0.1]/"],
    ["a 6to4 address", "https://[2002:7f00::]/"],
    ["a NAT64 address", "https://[64:ff9b::7f00:1]/"],
    ["a local NAT64 address", "https://[64:ff9b:1::7f00:1]/"],
    ["a Teredo address", "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/"],
    ["a unique local address", "https://[fd00::]/"],
    ["the metadata address of AWS over IPv6", "https://[fd00:ec2::254]/"],
    ["a link-local IPv6 address", "https://[fe80::1]/"],
    ["a site-local IPv6 address", "https://[fec0::1]/"],
    ["a multicast IPv6 address", "https://[ff02::1]/"],
    ["a documentation address", "https://[2001:db8::1]/"],
    ["the metadata address", "https://169.254.169.254/latest/meta-data/"],
    ["its decimal form, metadata", "https://2852039166/"],
    ["10.0.0.0/8", "https://10.0.0.1/"],
    ["172.16.0.0/12", "https://172.31.255.254/"],
    ["192.168.0.0/16", "https://192.168.0.1/"],
    ["a carrier's inner network", "https://100.64.0.1/"],
    ["the metadata address of Alibaba", "https://100.100.100.200/"],
    ["a benchmarking network", "https://198.18.0.1/"],
    ["a reserved address", "https://240.0.0.1/"],
    ["a multicast address", "https://224.0.0.1/"],
    ["the broadcast address", "https://255.255.255.255/"],
    ["localhost", "https://localhost/"],
    ["LOCALHOST", "https://LOCALHOST/"],
    ["localhost with a final dot", "https://localhost./"],
    ["a name under localhost", "https://a.b.localhost/"],
    ["localhost in full-width letters", "https://ｌｏｃａｌｈｏｓｔ/"],
    ["plain http", "http://example.com/"],
    ["another protocol", "ftp://example.com/"],
    ["a file", "file:///etc/passwd"],
    ["data", "data:text/plain,hello"],
    ["a user name", "https://user@example.com/"],
    ["a password", "https://:secret@example.com/"],
    ["a relative URL", "/hook"],
    ["an empty host", "https:///"],
    ["a scope id", "https://[fe80::1%25eth0]/"]
  ])("%s: %s", (_, url) => {
    expect(problemWithUrl(url, "live")).toBeTypeOf("string")
  })
})

describe("a live key's webhook may go to", () => {
  it.each([
    "https://example.com/hook",
    "https://example.com:8443/hook?a=b",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "https://localhost.example.com/",
    "https://127.0.0.1.example.com/"
  ])("%s", (url) => expect(problemWithUrl(url, "live")).toBe(undefined))
})

describe("a test key's webhook", () => {
  it.each([
    "http://127.0.0.1:9000/",
    "http://127.1/",
    "http://localhost:9000/",
    "http://[::1]:9000/",
    "http://example.com/",
    "https://example.com/"
  ])("may go to %s", (url) => expect(problemWithUrl(url, "test")).toBe(undefined))

  it.each([
    "http://169.254.169.254/",
    "http://10.0.0.1/",
    "http://[fd00::]/",
    "http://0.0.0.0/",
    "ftp://127.0.0.1/",
    "http://user@127.0.0.1/"
  ])("may not go to %s", (url) => expect(problemWithUrl(url, "test")).toBeTypeOf("string"))
})

const names: Record<string, ReadonlyArray<string>> = {
  "public.example": ["8.8.8.8", "2606:4700:4700::1111"],
  "private.example": ["10.0.0.7"],
  "mixed.example": ["8.8.8.8", "127.0.0.1"],
  "mapped.example": ["::ffff:7f00:1"],
  "nat64.example": ["64:ff9b::7f00:1"],
  "metadata.google.internal": ["169.254.169.254"]
}
const fixed = Layer.succeed(
  Resolver,
  Resolver.of({
    resolve: (name) => {
      const found = names[name]
      return found === undefined
        ? Effect.fail(new NameNotResolved({ name, code: "ENOTFOUND" }))
        : Effect.succeed(found)
    }
  })
)

describe("the addresses behind a name", () => {
  it.effect.each(Object.keys(names).filter((name) => name !== "public.example"))(
    "are refused when one is not public: %s",
    (name) =>
      Effect.gen(function* () {
        const refused = yield* Effect.result(targetOf(`https://${name}/`, "live"))
        expect(refused).toMatchObject({ _tag: "Failure", failure: { _tag: "TargetRefused" } })
        assert(Result.isFailure(refused))
        expect(refused.failure.reason).toContain("not a public address")
      }).pipe(Effect.provide(fixed))
  )

  it.effect("are the ones connected to, in either form that Node.js asks for", () =>
    Effect.gen(function* () {
      const { host, lookup } = yield* targetOf("https://PUBLIC.example.:444/hook", "live")
      expect(host).toBe("public.example")
      const all = yield* Effect.callback<string | ReadonlyArray<LookupAddress>>((resume) =>
        lookup("anything", { all: true }, (_, found) => resume(Effect.succeed(found)))
      )
      expect(all).toEqual([
        { address: "8.8.8.8", family: 4 },
        { address: "2606:4700:4700::1111", family: 6 }
      ])
      const one = yield* Effect.callback<unknown>((resume) =>
        lookup("anything", { all: false }, (_, found) => resume(Effect.succeed(found)))
      )
      expect(one).toBe("8.8.8.8")
    }).pipe(Effect.provide(fixed))
  )

  it.effect("must exist", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(targetOf("https://nowhere.example/", "live"))
      expect(refused.reason).toBe("nowhere.example has no address (ENOTFOUND)")
    }).pipe(Effect.provide(fixed))
  )

  it("are treated alike when an address is no address", () => {
    expect(problemWithAddress("", "test")).toBe("it is not an IP address")
  })
})
