import type { Description } from "../../config/Setting.ts"

/** The variable with the value of a secret. */
export const secretVariable = (name: string): string => `DOCFLOW_SECRET_${name}`

/** The variable with the hosts that may receive a secret. */
export const hostsVariable = (name: string): string => `DOCFLOW_HOSTS_${name}`

/** What `docflow serve --help` says about the secrets of `lookup`, whose names are those in the flows. */
export const secretSettingsHelp: ReadonlyArray<Description> = [
  {
    variable: secretVariable("<name>"),
    fallback: "unset",
    about: "value of the secret that `lookup` steps send as `secret: <name>`"
  },
  {
    variable: hostsVariable("<name>"),
    fallback: "none",
    about: "hosts that may receive this secret, separated by commas: crm.example.com,*.example.org"
  }
]
