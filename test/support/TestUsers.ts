import { scryptSync } from "node:crypto"
import type { Role } from "../../src/domain/User.ts"
import type { TestService } from "./TestService.ts"

/** The password of every user of the tests. */
export const password = "correct horse battery"

/** A hash that costs next to nothing: it says so itself, and signing in believes it. */
const cheap = `scrypt$4$1$1$c2FsdA$${scryptSync(password, "salt", 32, { N: 16, r: 1, p: 1 }).toString("base64url")}`

/** Adds a user, as the administration API does but for the cost of the hash; returns the id. */
export const addUser = async (service: TestService, name: string, role: Role): Promise<string> => {
  const id = `usr_${name}`
  await service.rows(`insert into users (id, name, role, password, created_at)
    values ('${id}', '${name}', '${role}', '${cheap}', now())`)
  return id
}

/** Removes every user. */
export const removeUsers = async (service: TestService): Promise<void> => {
  await service.rows("delete from sessions where user_id is not null")
  await service.rows("delete from users")
}
