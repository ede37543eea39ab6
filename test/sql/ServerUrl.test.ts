import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { parseServerUrl } from "../../src/sql/ServerUrl.ts"

describe("DATABASE_URL", () => {
  const refused: ReadonlyArray<readonly [string, RegExp]> = [
    ["postgres://u:hun@ter2@h/d", /Percent-encode the characters/u],
    ["postgres://u:hun/ter2@h/d", /Percent-encode the characters/u],
    ["postgres://u:hun#ter2@h/d", /Percent-encode the characters/u],
    ["postgres://u:hun?ter2@h/d", /Percent-encode the characters/u],
    ["postgres://u:hunter2%@h/d", /% is not followed by two hexadecimal digits/u],
    ["postgres://h:no/d", /a port is not a number/u],
    ["postgres://h/d?schema=docflow", /schema is not supported. Use options=-c%20search_path%3D<schema>/u],
    ["postgres://h/d?search_path=docflow", /search_path is not supported/u],
    ["postgres://h/d?sslmode=no-verify", /sslmode=no-verify is not supported. Use disable, allow, prefer/u],
    ["postgres://h/d?sslmode=verify-ca", /sslmode=verify-ca needs sslrootcert/u],
    ["postgres://h/d?sslrootcert=/nowhere.pem", /the file \/nowhere.pem of sslrootcert cannot be read/u],
    ["postgres://h/d?sslcert=/nowhere.pem", /sslcert and sslkey belong together/u],
    ["postgres://h/d?target_session_attrs=standby", /because docflow writes. Use read-write or primary/u],
    [
      "postgres://h/d?channel_binding=require",
      /channel_binding=require is not supported. Use disable or prefer/u
    ],
    [
      "postgres://h/d?pgbouncer=true",
      /the parameter pgbouncer is not supported. Supported: application_name/u
    ]
  ]
  it.effect.each(refused)("refuses %s by name, without the password", ([url, message]) =>
    Effect.gen(function* () {
      const problem = yield* Effect.flip(parseServerUrl(Redacted.make(url)))
      assert.match(problem.message, message)
      assert.notMatch(problem.message, /ter2/u)
    })
  )

  it.effect("is read as libpq reads it", () =>
    Effect.gen(function* () {
      const url =
        "postgresql://an%40na:s%2Fecret@[::1]:5433,db.example.com/my%20db?connect_timeout=2&sslmode=disable"
      const { connectTimeout, database, encryption, hosts, password, username } = yield* parseServerUrl(
        Redacted.make(url)
      )
      assert.deepStrictEqual(
        [
          username,
          password && Redacted.value(password),
          database,
          Duration.toSeconds(connectTimeout),
          encryption,
          hosts
        ],
        [
          "an@na",
          "s/ecret",
          "my db",
          2,
          [false],
          [
            { host: "::1", port: 5433 },
            { host: "db.example.com", port: 5432 }
          ]
        ]
      )
      const socket = yield* parseServerUrl(Redacted.make("postgres:///docflow?host=/run/postgresql"))
      assert.deepStrictEqual(socket.hosts, [{ host: "/run/postgresql", port: 5432 }])
    })
  )
})
