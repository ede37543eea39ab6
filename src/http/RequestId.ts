import { Context } from "effect"

/** The id of the request at hand: in the answer's header `X-Request-Id`, in the logs and in `INTERNAL_ERROR`. */
export const RequestId = Context.Reference<string>("docflow/http/RequestId", { defaultValue: () => "" })
