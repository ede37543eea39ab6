import dgram from "node:dgram"
import dns from "node:dns"
import { syncBuiltinESMExports } from "node:module"
import net from "node:net"

/**
 * Loaded first by every sandboxed program of Node.js: takes from JavaScript what reaches other processes. The permissions of Node.js
 * cover files and child processes, but neither signals nor sockets. Namespaces, where there are any, keep native code in as well.
 */
const refuse = () => {
  throw new Error("A sandboxed program reaches no other process.")
}

for (const name of ["kill", "_kill", "_debugProcess"]) Reflect.deleteProperty(process, name)
Object.assign(net.Socket.prototype, { connect: refuse })
Object.assign(net.Server.prototype, { listen: refuse })
Object.assign(dgram, { createSocket: refuse, Socket: refuse })
for (const names of [dns, dns.promises])
  for (const name of Object.keys(names)) Reflect.set(names, name, refuse)
syncBuiltinESMExports()
