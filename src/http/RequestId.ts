import { Context } from "effect"

/** The id of the current request: in the response header `X-Request-Id`, in the logs and in `INTERNAL_ERROR`. */
export const RequestId = Context.Reference<string>("docflow/http/RequestId", { defaultValue: () => "" })
