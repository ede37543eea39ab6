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
  }
]
