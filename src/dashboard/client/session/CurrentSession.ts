import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Role } from "../../../domain/User.ts"
import type { Session } from "../../SessionGroup.ts"

/** The session of the person who looks at the dashboard. */
export const CurrentSession = createContext<Session | undefined>(undefined)

/** Whether the person's role includes another one. What it does not allow is not shown; the service refuses it as well. */
export const useMay = (needed: Role): boolean => useContext(CurrentSession)?.roles.includes(needed) ?? false
