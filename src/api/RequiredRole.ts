import { Forbidden } from "../domain/Errors.ts"
import { includesRole, type Role } from "../domain/User.ts"

/**
 * The role that each endpoint requires of a session. An endpoint that is not in here requires an administrator; a test compares
 * this table with the contracts.
 */
export const requiredRoles: Readonly<Record<string, Readonly<Record<string, Role>>>> = {
  admin: {
    createOrganization: "administrator",
    listOrganizations: "viewer",
    getOrganization: "viewer",
    grantCredits: "administrator",
    setDocumentExport: "administrator",
    setModels: "administrator",
    getLedger: "viewer",
    getUsage: "viewer",
    createKey: "administrator",
    listKeys: "viewer",
    revokeKey: "administrator",
    listExecutions: "viewer",
    listDeliveries: "viewer",
    redeliver: "operator",
    eraseExecution: "administrator",
    listAudit: "administrator",
    readArchive: "administrator",
    removeArchived: "administrator",
    listExamples: "viewer",
    exportExamples: "administrator",
    importExamples: "administrator",
    setExample: "reviewer",
    deleteExample: "administrator",
    forgetExamples: "administrator",
    listUsers: "administrator",
    addUser: "administrator",
    changeUser: "administrator"
  },
  flows: { list: "viewer", get: "viewer", run: "operator" },
  runs: {
    list: "viewer",
    get: "viewer",
    cancel: "operator",
    events: "viewer",
    replay: "operator",
    diff: "viewer"
  },
  pages: { sizes: "viewer", text: "viewer", picture: "viewer" },
  corrections: { get: "viewer", save: "reviewer", testSet: "reviewer", backtest: "operator" },
  "execution-views": {
    get: "viewer",
    corrections: "viewer",
    correct: "reviewer",
    reviews: "viewer",
    nextReview: "reviewer",
    usage: "viewer"
  },
  "flow-files": {
    list: "viewer",
    get: "viewer",
    diff: "viewer",
    complete: "administrator",
    check: "administrator",
    draft: "administrator",
    save: "administrator"
  },
  account: { changePassword: "viewer" }
}

/** The refusal of a person whose role does not include the one that an endpoint requires; undefined if it does. */
export const roleRefusal = (own: Role, group: string, endpoint: string): Forbidden | undefined => {
  const needed = requiredRoles[group]?.[endpoint] ?? "administrator"
  return includesRole(own, needed)
    ? undefined
    : new Forbidden({
        message: `This requires the role ${needed}. Your role is ${own}.`,
        details: { requiredRole: needed, role: own }
      })
}
