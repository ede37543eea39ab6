import type { Row } from "./TableRow.ts"
import { tableOfDoors } from "./TableOfDoors.ts"
import { tableOfFlows } from "./TableOfFlows.ts"
import { tableOfUsers } from "./TableOfUsers.ts"
import { tableOfPages } from "./TableOfPages.ts"

const policy = "services/webhooks/TargetPolicy.test.ts"

/** Everything that must hold under attack, and where it is tested. */
export const table: ReadonlyArray<Row> = [
  ...tableOfDoors,
  ...tableOfFlows,
  ...tableOfPages,
  ...tableOfUsers,
  {
    attack: "an execution of another organization: read, cancel, events, replay, diff",
    tested: {
      "security/Isolation.test.ts": [
        "another organization",
        "every endpoint of executions is in this table",
        "a list of executions has those of the key's organization and environment only"
      ]
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
      "security/Revocation.test.ts": ["refuses a revoked key at once"],
      "durability/SharedByNodes.ts": ["both refuse a revoked key"],
      "services/events/EventStreamAnswer.test.ts": ["ends within 5 seconds when its key is revoked"]
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
      "services/webhooks/Rebinding.test.ts": [
        "the checked address is the one connected to",
        "is checked again in the next attempt"
      ]
    }
  },
  {
    attack: "a receiver that redirects to a private address",
    tested: { "services/webhooks/Faults.test.ts": ["that redirect are not followed"] }
  },
  {
    attack: "a receiver whose answer never ends, or comes byte by byte",
    tested: {
      "services/webhooks/Faults.test.ts": [
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
    attack: "file names with ../, CRLF, NUL, 5 million characters",
    tested: {
      "security/Documents.test.ts": [
        "is only a text",
        "of megabytes is refused",
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
        "with the Host headers",
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
    attack: "a test key that would cost or reach what is live: models, addresses",
    tested: {
      "security/Asking.test.ts": ["reaches no live model", "which a live key may not"],
      "providers/LlmModels.test.ts": ["is echo for a test key, whatever is named or set"]
    }
  },
  {
    attack:
      "a lookup to a private address: by its name, by a name bound anew, by a redirect, by a value in its path",
    tested: {
      "steps/kinds-of-steps/LookupStep.test.ts": [
        "asks nobody at an address that is not allowed, whatever the name server says",
        "connects to the address that was checked, not to what the name means a moment later",
        "a redirect to a private address",
        "asks with escaped values"
      ]
    }
  },
  {
    attack: "secrets, prompts and text of documents in what failing models and lookups leave behind",
    tested: {
      "security/Asking.test.ts": ["is in no error, log or metric, and no key or secret is kept"],
      "durability/Restart.test.ts": ["tells nobody of the document, the key or the secret"],
      "steps/kinds-of-steps/LookupStep.test.ts": [
        "says where it differs, not what is there",
        "which is in no output"
      ],
      "providers/LlmFaults.test.ts": ["TEXT OF THE DOCUMENT"]
    }
  },
  {
    attack:
      "a cancel or a kill while a model or another service is asked: connections left open, charges made twice",
    tested: {
      "security/Asking.test.ts": [
        "keeps nothing of the step and reserves nothing",
        "closes the connection of a lookup"
      ],
      "durability/Restart.test.ts": ["charges once, repeats the Idempotency-Key"]
    }
  },
  {
    attack: "answers of models that are made to stop the service: huge, deep, of blank lines, dripping",
    tested: {
      "providers/ReadAnswer.test.ts": [
        "of a million empty lines behind backquotes",
        "of more than a million characters",
        "nested very deeply"
      ],
      "providers/LlmFaults.test.ts": ["an answer of 100 MB"]
    }
  },
  {
    attack: "documents that give orders to a model",
    tested: { "steps/model/ExtractModelHttp.test.ts": ["obedient model"] }
  },
  {
    attack: "documents in which searching for a value takes for ever",
    tested: {
      "steps/grounding/GroundingHostile.test.ts": [
        "repeats the beginning of a value down a column",
        "prints the cells of a row everywhere",
        "has words of half a million",
        "has rows of thousands of words"
      ]
    }
  },
  {
    attack: "lists whose items a schema wants to be unique",
    tested: { "dsl/JsonSchemas.test.ts": ["uniqueItems takes a hundred thousand lists"] }
  },
  {
    attack: "files inside PDFs and XML: entities, depth, bombs, thousands of them, lies, names that deceive",
    tested: {
      "document/AttachmentsHostile.test.ts": [
        "are counted, and only the first of thousands are listed",
        "may unfold to hundreds of megabytes",
        "may hold characters that nothing can keep",
        "may lie about their size",
        "do not keep an invoice next to them from being read"
      ],
      "document/Attachments.test.ts": ["say what XML is that is no invoice"]
    }
  },
  {
    attack: "the dashboard from another site",
    tested: { "dashboard/HttpSuite.ts": ["SameSite=Strict"] }
  },
  {
    attack: "a second process or container on the data folder of a running one",
    tested: {
      "durability/FolderLock.test.ts": [
        "refuses a second process",
        "is seen from another PID namespace",
        "is taken over from a process that was killed"
      ]
    }
  },
  {
    attack: "a document that takes over its reader: settings, files, network, other processes, privileges",
    tested: {
      "security/Sandbox.test.ts": [
        "hostile JavaScript does not get out",
        "hostile native code does not get out",
        "is the strongest mode that works"
      ],
      "providers/OcrEngine.test.ts": ["gets nowhere: it is in the sandbox"]
    }
  }
]
