import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { serve } from "./Serve.ts"

NodeRuntime.runMain(serve)
