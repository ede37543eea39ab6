import { Forbidden } from "../domain/Errors.ts"
import { includesRole, type Role } from "../domain/User.ts"

/**
 * The role that each endpoint of the administration API (`admin`) and of the dashboard (the other groups) requires. An
 * endpoint that is not in here requires an administrator; a test compares this table with both contracts.
 */
export const requiredRoles: Readonly<Record<string, Readonly<Record<string, Role>>>> = {
  admin: {
    createOrganization: "administrator",
    listOrganizations: "viewer",
    getOrganization: "viewer",
    grantCredits: "administrator",
    setDocumentExport: "administrator",
    getLedger: "viewer",
    createKey: "administrator",
    listKeys: "viewer",
    revokeKey: "administrator",
    listExecutions: "viewer",
    listDeliveries: "viewer",
    redeliver: "operator",
    eraseExecution: "administrator",
    listAudit: "administrator",
    listExamples: "viewer",
    exportExamples: "administrator",
    importExamples: "administrator",
    setExample: "reviewer",
    deleteExample: "administrator",
    listCorrectedScores: "viewer",
    storeCalibration: "administrator",
    listUsers: "administrator",
    addUser: "administrator",
    changeUser: "administrator"
  },
  organizations: {
    list: "viewer",
    create: "administrator",
    get: "viewer",
    grantCredits: "administrator",
    ledger: "viewer",
    listKeys: "viewer",
    createKey: "administrator",
    revokeKey: "administrator"
  },
  executions: {
    list: "viewer",
    get: "viewer",
    output: "viewer",
    pages: "viewer",
    pageText: "viewer",
    pagePicture: "viewer",
    corrections: "viewer",
    correct: "reviewer",
    testSet: "reviewer",
    reviews: "viewer",
    nextReview: "reviewer",
    cancel: "operator",
    erase: "administrator",
    redeliver: "operator"
  },
  examples: { list: "viewer", set: "reviewer", remove: "administrator" },
  flows: {
    list: "viewer",
    get: "viewer",
    diff: "viewer",
    complete: "administrator",
    check: "administrator",
    draft: "administrator",
    save: "administrator"
  },
  try: { run: "operator", events: "viewer", replay: "operator" },
  users: { list: "administrator", add: "administrator", change: "administrator" },
  usage: { ofAll: "viewer", ofOrganization: "viewer" },
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
