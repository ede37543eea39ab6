import { Effect, Option } from "effect"
import { SettingsConflict } from "./Setting.ts"

/** The settings that depend on each other. */
interface Combination {
  readonly blobs: Option.Option<"folder" | "database" | "s3">
  readonly clusterHost: Option.Option<unknown>
  readonly clusterPort: Option.Option<unknown>
  readonly databaseUrl: Option.Option<unknown>
  readonly host: string
  readonly oidcClientId: Option.Option<unknown>
  readonly oidcIssuer: Option.Option<unknown>
  readonly publicUrl: Option.Option<unknown>
  readonly role: "all" | "api" | "runner"
  readonly s3Bucket: Option.Option<unknown>
  readonly tlsCert: Option.Option<unknown>
  readonly tlsKey: Option.Option<unknown>
}

const conflictOf = (settings: Combination): string | undefined => {
  const { role } = settings
  const has = (name: keyof Omit<Combination, "host" | "role">) => Option.isSome(settings[name])
  if (role !== "all" && !has("databaseUrl")) {
    return `DOCFLOW_ROLE=${role} needs DATABASE_URL, which the processes share: set it, or unset DOCFLOW_ROLE`
  }
  if ((has("clusterHost") || has("clusterPort")) && !has("databaseUrl")) {
    return "DOCFLOW_CLUSTER_HOST and DOCFLOW_CLUSTER_PORT need DATABASE_URL: set it, or unset them"
  }
  if (has("clusterHost") !== has("clusterPort")) {
    return "DOCFLOW_CLUSTER_HOST and DOCFLOW_CLUSTER_PORT go together: set both, or neither"
  }
  if (role === "runner" && !has("clusterHost")) {
    return "DOCFLOW_ROLE=runner needs DOCFLOW_CLUSTER_HOST and DOCFLOW_CLUSTER_PORT, where other processes hand executions over"
  }
  if (has("tlsCert") !== has("tlsKey")) {
    return "DOCFLOW_TLS_CERT and DOCFLOW_TLS_KEY go together: set both, or neither"
  }
  if (Option.contains(settings.blobs, "s3") && !has("s3Bucket")) {
    return "DOCFLOW_BLOBS=s3 needs DOCFLOW_S3_BUCKET: set it, or unset DOCFLOW_BLOBS"
  }
  if (has("oidcIssuer") !== has("oidcClientId")) {
    return "DOCFLOW_OIDC_ISSUER and DOCFLOW_OIDC_CLIENT_ID go together: set both, or neither"
  }
  if (has("oidcIssuer") && !has("publicUrl") && !loopback.test(settings.host)) {
    return `DOCFLOW_OIDC_ISSUER with DOCFLOW_HOST=${settings.host} needs DOCFLOW_PUBLIC_URL, to which the provider sends people back: set it`
  }
  return undefined
}

const loopback = /^(?:127\.[\d.]+|localhost|::1)$/u

/** Refuses settings that do not go together. */
export const checkCombinations = (settings: Combination): Effect.Effect<void, SettingsConflict> => {
  const message = conflictOf(settings)
  return message === undefined ? Effect.void : new SettingsConflict({ message })
}
