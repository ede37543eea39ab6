/** What only a person who is signed in gets; a path that is not of the API is one of the dashboard. */
export const needsSession: ReadonlyArray<readonly [method: string, path: string]> = [
  ["GET", "/api/admin/v1/organizations"],
  ["DELETE", "/api/admin/v1/keys/key_1"],
  ["PUT", "/api/admin/v1/examples/ex_1"],
  ["DELETE", "/api/admin/v1/executions/exec_1"],
  ["GET", "/api/v1/runs/exec_1"],
  ["GET", "/api/v1/runs/exec_1/pages/1/picture"],
  ["GET", "/api/v1/runs/exec_1/events"],
  ["GET", "/api/v1/runs/exec_1/test-set"],
  ["POST", "/api/v1/flows/greet/run"],
  ["GET", "/executions/exec_1"],
  ["GET", "/executions/exec_1/corrections"],
  ["PUT", "/executions/exec_1/corrections"],
  ["POST", "/organizations/org_1/reviews/next"],
  ["GET", "/usage"],
  ["GET", "/flows/invoice"],
  ["GET", "/flows/greet/diff?from=1.0.0&to=1.2.0"],
  ["POST", "/drafts/check"],
  ["POST", "/drafts/complete"],
  ["POST", "/drafts"],
  ["POST", "/drafts/save"],
  ["PUT", "/account/password"]
]
