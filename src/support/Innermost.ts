/** The error at the bottom of a chain of causes, such as `connect ECONNREFUSED 127.0.0.1:5432`. */
export const innermost = (error: Error): Error =>
  error.cause instanceof Error ? innermost(error.cause) : error
