import { Console, Effect, Stdio } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { nearest } from "../../../dsl/source/Nearest.ts"
import { UserList, UserSession } from "../../api/UserEndpoints.ts"
import { roles, User, type UserChange } from "../../domain/User.ts"
import { fail } from "../CommandFailed.ts"
import { textTable } from "../Terminal.ts"
import { askSecret, readSecret } from "./ReadSecret.ts"
import { administer, signInTo } from "./ServiceAccess.ts"

/** A new password, typed twice in a terminal. */
const readNewPassword = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  if (!(yield* stdio.stdinIsTerminal)) return yield* readSecret("Password")
  for (;;) {
    const typed = yield* askSecret("New password, at least 12 characters")
    if (typed === (yield* askSecret("Again"))) return typed
    yield* Console.error("These are two different passwords.")
  }
})

const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))
const name = Argument.String("name").pipe(Argument.withDescription("Name of the user"))
const roleNames = [...roles]

const pageSize = 100

/** Every user, page by page. */
const allUsers = Effect.gen(function* () {
  const found: Array<User> = []
  for (;;) {
    const { total, users } = yield* administer(
      "GET",
      `/users?limit=${pageSize}&offset=${found.length}`,
      UserList
    )
    found.push(...users)
    if (users.length < pageSize || found.length >= total) return found
  }
})

const userNamed = Effect.fnUntraced(function* (wanted: string) {
  const all = yield* allUsers
  const found = all.find((user) => user.name === wanted.toLowerCase())
  if (found !== undefined) return found
  const names = all.map((user) => user.name)
  const near = nearest(wanted, names)
  return yield* fail(
    `Unknown user "${wanted}". ${near === undefined ? `Users: ${names.join(", ") || "none"}` : `Did you mean "${near}"?`}`
  )
})

const rowOf = ({ disabled, lastSignInAt, name: own, role, signIn }: User) => [
  own,
  role,
  signIn === "password" ? "password" : "OpenID",
  disabled ? "disabled" : "enabled",
  lastSignInAt ?? "never"
]

const list = Command.make("list", { json }, (input) =>
  Effect.gen(function* () {
    const users = yield* allUsers
    if (input.json) return yield* Console.log(JSON.stringify(users))
    const header = ["name", "role", "signs in with", "state", "last sign-in"]
    yield* Console.log(textTable([header, ...users.map(rowOf)]).join("\n"))
  })
).pipe(Command.withDescription("List users"))

const add = Command.make(
  "add",
  {
    name,
    role: Flag.Literals("role", roleNames).pipe(
      Flag.withDescription("Role. Default: viewer"),
      Flag.withDefault("viewer")
    )
  },
  Effect.fnUntraced(function* (input) {
    const password = yield* readNewPassword
    const made = yield* administer("POST", "/users", User, { ...input, password })
    yield* Console.log(`Added ${made.name} (${made.role})`)
  })
).pipe(Command.withDescription("Add a user; the password is typed, or read from standard input"))

const change = (wanted: string, body: UserChange) =>
  Effect.flatMap(userNamed(wanted), ({ id }) => administer("PUT", `/users/${id}`, User, body))

const role = Command.make(
  "role",
  {
    name,
    role: Argument.Literals("role", roleNames).pipe(
      Argument.withDescription(`One of ${roleNames.join(", ")}`)
    )
  },
  (input) =>
    Effect.flatMap(change(input.name, { role: input.role }), (user) =>
      Console.log(`${user.name} is now ${user.role}`)
    )
).pipe(Command.withDescription("Change the role of a user"))

const password = Command.make(
  "password",
  { name },
  Effect.fnUntraced(function* (input) {
    const changed = yield* change(input.name, { password: yield* readNewPassword })
    yield* Console.log(`${changed.name} has a new password; all sessions of ${changed.name} have ended`)
  })
).pipe(Command.withDescription("Set a new password; it is typed, or read from standard input"))

const disable = Command.make("disable", { name }, (input) =>
  Effect.flatMap(change(input.name, { disabled: true }), (user) =>
    Console.log(`Disabled ${user.name}; all sessions of ${user.name} have ended`)
  )
).pipe(Command.withDescription("Disable a user and end the user's sessions"))

const enable = Command.make("enable", { name }, (input) =>
  Effect.flatMap(change(input.name, { disabled: false }), (user) => Console.log(`Enabled ${user.name}`))
).pipe(Command.withDescription("Enable a disabled user again"))

const signIn = Command.make(
  "sign-in",
  { name },
  Effect.fnUntraced(function* (input) {
    const session = yield* signInTo("/sessions", UserSession, {
      name: input.name,
      password: yield* readSecret("Password")
    })
    yield* Console.error(`Signed in as ${session.name} (${session.role}). Use it as DOCFLOW_ADMIN_TOKEN:`)
    yield* Console.log(session.token)
  })
).pipe(
  Command.withDescription(
    "Sign in with a password and print a token, which takes the place of the admin token with the user's role"
  )
)

/** `docflow users`: the people who may sign in to a running service. */
export const usersCommand = Command.make("users").pipe(
  Command.withDescription(
    "List, add, change and disable users of a running service (DOCFLOW_URL), with the admin token"
  ),
  Command.withShortDescription("List, add, change and disable users of a service"),
  Command.withSubcommands([list, add, role, password, disable, enable, signIn])
)
