/** Example messages, as the service writes them, by code. */
const messages: Readonly<Record<string, { readonly message: string; readonly details?: object }>> = {
  UNAUTHORIZED: { message: "Missing authorization header" },
  INVALID_API_KEY: { message: "Invalid API key" },
  FORBIDDEN: { message: "API key missing required scope: flows:execute" },
  INVALID_INPUT: {
    message: "Document base64 data is required",
    details: { field: "input.document.base64", reason: "required" }
  },
  VALIDATION_ERROR: {
    message: "Invalid timeout: it must be between 1 and 60000",
    details: { field: "timeout", reason: "it must be between 1 and 60000" }
  },
  MISSING_REQUIRED_FIELD: {
    message: "input.variables.customer is required",
    details: { field: "input.variables.customer", reason: "required" }
  },
  INVALID_DOCUMENT: { message: "The document is encrypted" },
  FLOW_NOT_FOUND: { message: "Flow not found: invioce" },
  VERSION_NOT_FOUND: { message: "Version not found: 9.9.9" },
  EXECUTION_NOT_FOUND: { message: "Execution not found: exec_1" },
  INSUFFICIENT_CREDITS: { message: "Insufficient credits: 3 required, 1 available" },
  SUBSCRIPTION_REQUIRED: { message: "The flow needs the plan pro" },
  EXECUTION_TIMEOUT: {
    message: "The execution did not end within 30000 ms",
    details: { executionId: "exec_01KAGZ3W6T9S0M4Y7Q2N5B8CDE" }
  },
  ALREADY_CANCELLED: { message: "The execution was already cancelled" },
  NOT_CANCELLABLE: { message: "The execution has already completed" },
  RATE_LIMITED: {
    message: "Rate limit exceeded: at most 100 requests a minute. Retry in 12 seconds",
    details: { retryAfter: 12 }
  },
  CONCURRENT_LIMIT: { message: "Too many concurrent executions: at most 5" },
  INTERNAL_ERROR: {
    message: "An unexpected error occurred",
    details: { requestId: "req_01KAGZ3W6T9S0M4Y7Q2N5B8CDE" }
  },
  SERVICE_UNAVAILABLE: { message: "Too many requests are being received; try again in a second" }
}

/** The `examples` of the schema of an error, which is named `Error_` and the code; nothing for other schemas. */
export const exampleErrors = (schema: string): { readonly examples?: ReadonlyArray<unknown> } => {
  const code = schema.replace(/^Error_/u, "")
  const example = code === schema ? undefined : messages[code]
  return example === undefined ? {} : { examples: [{ error: { code, ...example } }] }
}
