import type { Row } from "./TableRow.ts"

/** What people try with the sign-in, with sessions and beyond their role. */
export const tableOfUsers: ReadonlyArray<Row> = [
  {
    attack:
      "a forged or stolen answer of an OpenID provider, or an OpenID user with the name of somebody else",
    tested: {
      "dashboard/OpenIdSuite.ts": [
        "refuses a token with a wrong or old %s",
        "refuses an answer to another browser, a second use, a changed state and another's code",
        "takes over no user who has the same name and a password",
        "keeps out whom the provider gives no role, and who is disabled here"
      ]
    }
  },
  {
    attack:
      "a user whose role does not allow it, at every endpoint of the API, the administration and the dashboard",
    tested: {
      "security/Roles.test.ts": [
        "names every endpoint of both contracts, and nothing else",
        "each role may do what its row says, at every endpoint",
        "has the new role with the next request"
      ]
    }
  },
  {
    attack: "a session of somebody who was disabled, or whose password has changed",
    tested: {
      "security/Roles.test.ts": [
        "who is disabled has no session any more, gets none, and being enabled revives none",
        "with a new password has no old session"
      ]
    }
  },
  {
    attack: "passwords guessed from many addresses, names guessed by the time taken",
    tested: {
      "security/Roles.test.ts": [
        "with one name from many addresses is stopped",
        "learns from no answer whether a name exists"
      ]
    }
  },
  {
    attack: "a session planted in a browser before its user signs in",
    tested: { "security/Roles.test.ts": ["with a session set beforehand shares nothing"] }
  },
  {
    attack: "users changed from another site, or with the session of the admin token as a token",
    tested: {
      "security/Roles.test.ts": [
        "from another site changes nothing, whatever cookie it carries",
        "with the session of the admin token as a bearer gets nothing from the administration API"
      ]
    }
  }
]
