import type { Environment } from "../../domain/Organization.ts"

/** Who shares a limit of concurrent executions. */
export interface Tenancy {
  readonly organizationId: string
  readonly environment: Environment
}

/** The name of a tenancy, for maps. */
export const nameOf = ({ environment, organizationId }: Tenancy): string => `${environment} ${organizationId}`
