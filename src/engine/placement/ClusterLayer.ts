import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import { Option } from "effect"
import { RunnerAddress, type ShardingConfig, SingleRunner } from "effect/cluster"

/** The address at which other processes reach this one. */
export interface ClusterAddress {
  readonly host: string
  readonly port: number
}

type Sharding = typeof ShardingConfig.defaults

const common = {
  // Executions are not stored as messages: there is nothing to find.
  entityMessagePollInterval: "10 seconds",
  entityTerminationTimeout: "10 seconds",
  simulateRemoteSerialization: false
} satisfies Partial<Sharding>

/** A single process: it runs everything itself, and resumes what it was doing when it last stopped. */
export const layerSingle = SingleRunner.layer({ runnerStorage: "memory", shardingConfig: common })

/** A process that hands executions to the runners over its PostgreSQL and runs none. */
export const layerClient = NodeClusterSocket.layer({
  clientOnly: true,
  storage: "sql",
  shardingConfig: { ...common, runnerAddress: Option.none(), refreshAssignmentsInterval: "1 second" }
})

/**
 * One of several processes over one PostgreSQL. A runner that dies is noticed when its locks expire, within 8 seconds, and
 * the others take its executions over.
 */
export const layerClustered = (address: ClusterAddress) =>
  NodeClusterSocket.layer({
    storage: "sql",
    shardingConfig: {
      ...common,
      runnerAddress: Option.some(RunnerAddress.make(address.host, address.port)),
      runnerListenAddress: Option.some(RunnerAddress.make(address.host, address.port)),
      shardLockExpiration: "8 seconds",
      shardLockRefreshInterval: "2 seconds",
      refreshAssignmentsInterval: "1 second",
      runnerHealthCheckInterval: "5 seconds"
    }
  })
