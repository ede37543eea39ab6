import type { Row } from "./TableRow.ts"

/** What strangers try with requests, bodies and webhooks. */
export const tableOfDoors: ReadonlyArray<Row> = [
  {
    attack: "thousands of idle connections",
    tested: {
      "http/ConnectionLimits.test.ts": ["make room for a fresh one of their address", "of any address"]
    }
  },
  {
    attack: "runs that are refused, to fill the disk or keep it busy",
    tested: { "http/RefusedRuns.test.ts": ["stores nothing of its document"] }
  },
  {
    attack: "texts and tables that are very large",
    tested: {
      "document/LargeTexts.test.ts": ["are read whole", "are refused with the limit when they are too large"]
    }
  },
  {
    attack: "receivers that hang, of other organizations or on the same host",
    tested: {
      "services/webhooks/Faults.test.ts": ["delay nobody on the same host", "delay no other organization"]
    }
  },
  {
    attack: "ids that cannot be decoded",
    tested: { "http/Flows.test.ts": ["/flows/%E0%A4%A"], "security/HostileText.test.ts": ["%ED%A0%80"] }
  },
  {
    attack: "slow senders",
    tested: { "security/SlowSenders.test.ts": ["is cut", "nine of them keep nobody else out"] }
  },
  {
    attack:
      "forms that break off, have parts twice or by the thousand, or JSON that is no JSON, too large or too deep",
    tested: {
      "http/MultipartRun.test.ts": [
        "that breaks off",
        "with a part twice",
        "with 100,000 parts",
        "with a boundary of 10,000 characters",
        "with broken JSON in a part",
        "with nested JSON",
        "too many keys"
      ]
    }
  },
  {
    attack: "names of megabytes, which would be stored with every execution or repeated in an answer",
    tested: {
      "security/Documents.test.ts": ["of megabytes is refused, and so is a type"],
      "http/BadRuns.test.ts": ['["version", { version: "1".repeat(256) }]']
    }
  },
  {
    attack: "a machine kept busy, so that the documents of others are refused",
    tested: { "document/OpenOnce.test.ts": ["is not refused because the machine is too busy"] }
  },
  {
    attack: "one organization that sends as much as may be in flight",
    tested: { "http/BodyBudget.test.ts": ["what it lacks the others still have"] }
  },
  {
    attack: "a document URL that leads into this machine's networks, or to a secret of another server",
    tested: {
      "http/Comforts.test.ts": [
        "is not fetched from %s, with a test key neither",
        "comes whole, with its name, or not at all"
      ]
    }
  },
  {
    attack: "a web page of another origin that calls the API, the administration or the dashboard",
    tested: { "http/Comforts.test.ts": ["says nothing of %s to %s"] }
  },
  {
    attack: "an ETag that tells whether somebody else's execution exists",
    tested: { "http/Comforts.test.ts": ["no other key learns of it"] }
  },
  {
    attack: "a document that gives orders to an assistant, or makes it read files and addresses",
    tested: {
      "mcp/Mcp.test.ts": [
        "stays between marks that it cannot know",
        "cannot make an assistant read %s",
        "cannot make an assistant fetch %s"
      ]
    }
  },
  {
    attack: "a web page, or a program without the token, that calls the tools of an assistant",
    tested: { "mcp/Mcp.test.ts": ["refuses %j with %i"] }
  },
  {
    attack: "a document whose text a spreadsheet would run as a formula",
    tested: { "flows/RunCommand.test.ts": ["A spreadsheet must not run what a stranger wrote"] }
  }
]
