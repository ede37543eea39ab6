import type { Row } from "./TableRow.ts"

/** What is tried on the pages of documents and on corrections. */
export const tableOfPages: ReadonlyArray<Row> = [
  {
    attack: "the picture or text of a page without the right to the execution, or once it is erased",
    tested: {
      "security/Isolation.test.ts": [
        "GET /api/v1/runs/:executionId/pages/:page/picture",
        "GET /api/v1/runs/:executionId/pages/:page"
      ],
      "security/Scopes.test.ts": ["GET /api/v1/runs/:executionId/pages/:page/picture"],
      "dashboard/PagesSuite.ts": ["are gone once the execution is erased"],
      "dashboard/NeedsSession.ts": ["/api/v1/runs/exec_1/pages/1/picture"]
    }
  },
  {
    attack: "correcting an execution of somebody else, or without the scope, or from another site",
    tested: {
      "security/Isolation.test.ts": ["PUT /api/v1/runs/:executionId/corrections"],
      "security/Scopes.test.ts": ["PUT /api/v1/runs/:executionId/corrections"],
      "dashboard/NeedsSession.ts": ["/executions/exec_1/corrections"],
      "dashboard/HttpSuite.ts": ["is refused although it carries the cookie"]
    }
  },
  {
    attack:
      "reading, changing or importing examples without the admin token, or those of another organization",
    tested: {
      "security/Scopes.test.ts": ["takes no key with all scopes, and nobody without a token"],
      "dashboard/LearningSuite.ts": ["reaches no other organization and no other environment"],
      "dashboard/NeedsSession.ts": ["/api/admin/v1/examples/ex_1"]
    }
  },
  {
    attack:
      "correcting every cell of a long table at once, so that the output is computed thousands of times",
    tested: {
      "services/corrections/ChooseReadings.test.ts": [
        "are tried once for thousands of values that are right"
      ],
      "services/corrections/CorrectionPaths.test.ts": ["mean at most 2,000 values"]
    }
  },
  {
    attack:
      "checking, running or saving a flow as somebody who is not signed in, from another site, with an API key, or where editing is off",
    tested: {
      "dashboard/NeedsSession.ts": ["/drafts/check", "/drafts", "/drafts/save"],
      "dashboard/HttpSuite.ts": ["is refused although it carries the cookie"],
      "dashboard/Proxy.test.ts": ["where the setting turns it off"],
      "dashboard/FlowsSuite.ts": ["by the dashboard alone", "are saved once as a new version"]
    }
  },
  {
    attack: "the events of an execution, or its corrected values, as somebody who is not signed in",
    tested: {
      "dashboard/NeedsSession.ts": ["/runs/exec_1/events", "/runs/exec_1/test-set"]
    }
  },
  {
    attack:
      "the document in a test case, of somebody else or where the organization has not allowed its export",
    tested: {
      "security/Isolation.test.ts": ["GET /api/v1/runs/:executionId/test-set"],
      "security/Scopes.test.ts": ["GET /api/v1/runs/:executionId/test-set"],
      "dashboard/LearningSuite.ts": [
        "is listed, exported and imported by the command line, which also gives it as a test case"
      ]
    }
  },
  {
    attack: "overwriting corrections that somebody else saved",
    tested: { "dashboard/CorrectionsSuite.ts": ["do not overwrite what somebody else saved"] }
  }
]
