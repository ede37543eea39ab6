/** What nobody gets from the dashboard who is not signed in. */
export const needsSession: ReadonlyArray<readonly [method: string, path: string]> = [
  ["GET", "/organizations"],
  ["POST", "/organizations"],
  ["GET", "/organizations/org_1/executions"],
  ["DELETE", "/keys/key_1"],
  ["GET", "/executions/exec_1"],
  ["GET", "/executions/exec_1/output"],
  ["GET", "/executions/exec_1/pages/1"],
  ["GET", "/executions/exec_1/pages/1/picture"],
  ["PUT", "/executions/exec_1/corrections"],
  ["GET", "/executions/exec_1/test-set"],
  ["PUT", "/examples/ex_1"],
  ["GET", "/executions/exec_1/events"],
  ["GET", "/flows/invoice"],
  ["POST", "/drafts/check"],
  ["POST", "/drafts"],
  ["POST", "/drafts/save"],
  ["POST", "/organizations/org_1/reviews/next"],
  ["POST", "/executions/exec_1/cancel"],
  ["DELETE", "/executions/exec_1"],
  ["POST", "/deliveries/d/redeliver"]
]
