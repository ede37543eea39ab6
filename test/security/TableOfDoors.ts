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
