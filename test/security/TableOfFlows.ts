import type { Row } from "./TableRow.ts"

/** What a flow's author, or a caller through a flow, may try: which documents it reaches, and what it uses up. */
export const tableOfFlows: ReadonlyArray<Row> = [
  {
    attack:
      "a document that a flow or a caller names: a path, another organization's SHA-256, an object in a variable",
    tested: {
      "dsl/Documents.test.ts": [
        "a variable of the shape of a document",
        "the answer of a lookup of that shape",
        "a called flow gets no document that the caller chose either"
      ],
      "security/OwnDocuments.test.ts": [
        "not another organization's, though its SHA-256 is known",
        "../t-data/admin-token",
        "looks for no name that is not 64 hexadecimal digits"
      ]
    }
  },
  {
    attack: "`variables` and `metadata` made to stall or fill: megabytes, millions of members, deep nesting",
    tested: {
      "security/Values.test.ts": ["too many values", "too many bytes", "too many levels"]
    }
  },
  {
    attack:
      "a schema of a flow and a value of a caller that take minutes or gigabytes together, or fill the stack",
    tested: {
      "dsl/JsonSchemas.test.ts": [
        "references that multiply",
        "many alternatives for many items",
        "references without end",
        "cannot hide in data that a reference leads to"
      ]
    }
  },
  {
    attack: "numbers that cannot be kept exactly, in variables and metadata",
    tested: { "security/Values.test.ts": ["is refused with its path, and nothing is kept"] }
  },
  {
    attack:
      "bombs of a flow's author: strings, lists and JSON that double with every step, millions of steps",
    tested: {
      "security/Bombs.test.ts": [
        "is ended by the limit of a string",
        "though the list itself is small",
        "is ended by the budget of an expression",
        "is ended by the budget of all expressions together",
        "with many expressions is ended by the budget of a step",
        "that fails with megabytes fails with a message of 4,096 characters",
        "gives way after each of them",
        "%s is ended by the budget of an expression",
        "which no onError goes on from"
      ]
    }
  },
  {
    attack: "a flow that sends a secret of the operator to a host of its author",
    tested: {
      "steps/kinds-of-steps/LookupStep.test.ts": [
        "sends a secret only to the hosts that the operator lists for it"
      ]
    }
  },
  {
    attack: "guesses of the admin token, and frames and scripts around the reference page",
    tested: {
      "security/AdminToken.test.ts": [
        "an address that guesses the admin token is refused",
        "the reference page at /docs runs its own scripts only"
      ]
    }
  },
  {
    attack: "what another organization's documents and corrections left in the cache of a step",
    tested: { "engine/CacheAndCredits.test.ts": ["gives no organization an output of another"] }
  },
  {
    attack: "traces of an erased document: tables, files, caches, uses left by a process that was killed",
    tested: {
      "operation/AuditAndRetention.test.ts": [
        "leaves nothing of an erased execution",
        "releases what a process that was killed had forgotten",
        "finds blobs that no execution uses"
      ]
    }
  }
]
