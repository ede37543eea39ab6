import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import { Effect, Layer, Option, Redacted } from "effect"
import {
  RunnerAddress,
  RunnerHealth,
  Runners,
  ShardingConfig,
  SingleRunner,
  SocketRunner,
  SqlMessageStorage,
  SqlRunnerStorage
} from "effect/cluster"
import { RpcClient, RpcSerialization } from "effect/rpc"
import { Socket } from "effect/socket"
import { hkdfSync } from "node:crypto"

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

/**
 * Connections between processes are TLS with a key that both know (RFC 4279), derived from the secret of the installation: whoever
 * does not have it can neither call a process nor read what processes tell each other. There are no certificates to renew.
 */
const keyed = (secret: Redacted.Redacted) => {
  const psk = Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", "docflow cluster", 32))
  return {
    psk,
    options: {
      ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
      minVersion: "TLSv1.2",
      maxVersion: "TLSv1.2"
    } as const
  }
}

const layerClientProtocol = (secret: Redacted.Redacted) =>
  Layer.effect(
    Runners.RpcClientProtocol,
    Effect.map(RpcSerialization.RpcSerialization, (serialization) => {
      const { options, psk } = keyed(secret)
      return {
        codecFor: serialization.codecFor,
        make: Effect.fnUntraced(function* ({ host, port }: RunnerAddress.RunnerAddress) {
          const socket = yield* NodeSocket.makeTls({
            ...options,
            host,
            port,
            openTimeout: 1000,
            timeout: 5500,
            pskCallback: () => ({ psk, identity: "docflow" }),
            // The key proves who answers; there is no certificate with a name.
            checkServerIdentity: () => undefined
          })
          return yield* RpcClient.makeProtocolSocket().pipe(
            Effect.provideService(Socket.Socket, socket),
            Effect.provideService(RpcSerialization.RpcSerialization, serialization)
          )
        }, Effect.orDie)
      }
    })
  )

const layerOver = <E, R>(
  runner: Layer.Layer<Layer.Success<typeof SocketRunner.layerClientOnly>, E, R>,
  config: Partial<Sharding>
) =>
  runner.pipe(
    Layer.provideMerge(Layer.provide(SqlMessageStorage.layer, NodeCrypto.layerDigest)),
    Layer.provide(Layer.orDie(SqlRunnerStorage.layer)),
    Layer.provide(ShardingConfig.layerFromEnv(config)),
    Layer.provide(RpcSerialization.layerSchemaBinary())
  )

/** A process that hands executions to the runners over its PostgreSQL and runs none. */
export const layerClient = (secret: Redacted.Redacted) =>
  layerOver(Layer.provide(SocketRunner.layerClientOnly, layerClientProtocol(secret)), {
    ...common,
    runnerAddress: Option.none(),
    refreshAssignmentsInterval: "1 second"
  })

/**
 * One of several processes over one PostgreSQL. A runner that dies is noticed when its locks expire, within 8 seconds, and
 * the others take its executions over.
 */
export const layerClustered = ({ host, port }: ClusterAddress, secret: Redacted.Redacted) => {
  const { options, psk } = keyed(secret)
  const client = layerClientProtocol(secret)
  const server = NodeSocketServer.layerTls({ ...options, host, port, pskCallback: () => psk })
  const health = RunnerHealth.layerPing.pipe(Layer.provide(Runners.layerRpc), Layer.provide(client))
  return layerOver(SocketRunner.layer.pipe(Layer.provide([server, client]), Layer.provide(health)), {
    ...common,
    runnerAddress: Option.some(RunnerAddress.make(host, port)),
    runnerListenAddress: Option.some(RunnerAddress.make(host, port)),
    shardLockExpiration: "8 seconds",
    shardLockRefreshInterval: "2 seconds",
    refreshAssignmentsInterval: "1 second",
    runnerHealthCheckInterval: "5 seconds"
  })
}
