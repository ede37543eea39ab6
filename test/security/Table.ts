/** A row of the security table: what an attacker tries, and the tests that show what becomes of it. */
export interface Row {
  readonly attack: string
  /** A file below `test/`, and texts that stand in it: names of tests or of their cases. */
  readonly tested: Readonly<Record<string, ReadonlyArray<string>>>
}

const policy = "webhooks/TargetPolicy.test.ts"

/** Everything that must hold under attack, and where it is tested. */
export const table: ReadonlyArray<Row> = [
  {
    attack: "an execution of another organization: read, cancel, events, replay, diff",
    tested: {
      "security/Isolation.test.ts": ["another organization", "every endpoint of executions is in this table"]
    }
  },
  {
    attack: "an execution of the other environment",
    tested: { "security/Isolation.test.ts": ["the same organization's other environment"] }
  },
  {
    attack: "an idempotency key of somebody else",
    tested: {
      "security/Isolation.test.ts": [
        "an idempotency key of another organization or environment finds nothing"
      ]
    }
  },
  {
    attack: "a key without the scope, at every endpoint of the contract",
    tested: { "security/Scopes.test.ts": ["every endpoint has a row in this table", "a key with one scope"] }
  },
  {
    attack: "an API key at the administration API, or none",
    tested: { "security/Scopes.test.ts": ["takes no key with all scopes, and nobody without a token"] }
  },
  {
    attack: "several Authorization headers",
    tested: { "security/Authorization.test.ts": ["several Authorization headers"] }
  },
  {
    attack: "an Authorization header of 64 KB",
    tested: { "security/Authorization.test.ts": ["an Authorization header of 64 KB"] }
  },
  {
    attack: "the scheme in other cases, with other separators",
    tested: { "security/Authorization.test.ts": ['describe("the scheme"'] }
  },
  {
    attack: "a key in the query",
    tested: {
      "security/Authorization.test.ts": ["401, and not logged"],
      "operation/Telemetry.test.ts": ["query-secret"]
    }
  },
  {
    attack: "a revoked key, on every node, 5 seconds later",
    tested: {
      "security/Revocation.test.ts": ["refuse a revoked key within 5 seconds"],
      "events/EventStreamAnswer.test.ts": ["ends within 5 seconds when its key is revoked"]
    }
  },
  {
    attack: "a webhook to a loopback address in any spelling",
    tested: {
      [policy]: [
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://[::ffff:127.0.0.1]/",
        "https://１２７．０．０．１/"
      ]
    }
  },
  {
    attack: "a webhook to a metadata address",
    tested: { [policy]: ["https://169.254.169.254/latest/meta-data/", "https://[fd00:ec2::254]/"] }
  },
  {
    attack: "a webhook through 6to4 or NAT64",
    tested: { [policy]: ["https://[2002:7f00::]/", "https://[64:ff9b::7f00:1]/"] }
  },
  {
    attack: "a webhook to a name that is bound to another address afterwards",
    tested: {
      "webhooks/Rebinding.test.ts": [
        "the checked address is the one connected to",
        "is checked again in the next attempt"
      ]
    }
  },
  {
    attack: "a receiver that redirects to a private address",
    tested: { "webhooks/Faults.test.ts": ["that redirect are not followed"] }
  },
  {
    attack: "a receiver whose answer never ends, or comes byte by byte",
    tested: {
      "webhooks/Faults.test.ts": [
        "whose answer never ends are cut off",
        "whose answer comes byte by byte are cut off"
      ]
    }
  },
  {
    attack: "__proto__ and its like in metadata, variables and bodies",
    tested: { "security/HostileText.test.ts": ["members with names that JavaScript treats specially"] }
  },
  {
    attack: "unpaired surrogates and U+0000 everywhere",
    tested: {
      "security/HostileText.test.ts": [
        "U+0000 and unpaired surrogates",
        "in paths and queries",
        "in bodies of the administration API and of a replay"
      ]
    }
  },
  {
    attack:
      "base64 with white space, of the URL-safe alphabet, without padding; data URLs that lie or are not base64",
    tested: {
      "security/Documents.test.ts": [
        "a line break in it",
        "the URL-safe alphabet",
        "missing padding",
        "a data URL that is not base64",
        "that lies about its type"
      ]
    }
  },
  {
    attack: "file names with ../, CRLF, NUL, 10,000 characters",
    tested: {
      "security/Documents.test.ts": [
        "is only a text",
        "with U+0000 is refused",
        "never names anything in the file system"
      ]
    }
  },
  {
    attack: "errors that tell of the inside",
    tested: {
      "security/Leaks.test.ts": [
        "an error's body",
        "an execution that failed tells nothing of the inside either"
      ],
      "security/Fuzz.test.ts": ["every answer is as the OpenAPI document says"]
    }
  },
  {
    attack: "secrets in a dump of the database, in logs, metrics and traces",
    tested: {
      "security/Leaks.test.ts": ["in a dump of all tables", "in the logs", "in the metrics"],
      "operation/Telemetry.test.ts": ["holds no text of the document, no key and no secret"]
    }
  },
  {
    attack: "a request hidden behind another",
    tested: { "security/Smuggling.test.ts": ["a request whose end is ambiguous"] }
  },
  {
    attack: "old and unknown versions of HTTP, TRACE, CONNECT, upgrades",
    tested: {
      "security/Smuggling.test.ts": [
        "other versions of HTTP",
        "methods that nobody needs",
        "CONNECT opens nothing"
      ]
    }
  },
  {
    attack: "heads of absurd size",
    tested: { "security/Smuggling.test.ts": ["heads of absurd size"] }
  },
  {
    attack: "slow senders",
    tested: { "security/SlowSenders.test.ts": ["is cut"] }
  },
  {
    attack: "the dashboard from another site",
    tested: { "dashboard/Http.test.ts": ["SameSite=Strict"] }
  }
]
