import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { errorAnswer, methodRefused } from "./Answers.ts"
import { isUnrouted } from "./Fallback.ts"
import { pathsOfOperators } from "./Operations.ts"

const notHere = errorAnswer(
  404,
  "INVALID_INPUT",
  "This process only runs executions (DOCFLOW_ROLE=runner). Send requests to a process whose role is api or all"
)

const answerUnrouted = Effect.map(HttpServerRequest.HttpServerRequest, ({ method, url }) =>
  pathsOfOperators.includes(url.split("?", 1)[0] ?? "") ? methodRefused(method, ["GET"]) : notHere
)

/** Answers requests that a process without the API has no route for. */
export const layerElsewhere = HttpRouter.middleware(
  Effect.succeed((httpEffect) =>
    Effect.catch(httpEffect, (error) => (isUnrouted(error) ? answerUnrouted : Effect.fail(error)))
  ),
  { global: true }
)
