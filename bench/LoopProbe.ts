/**
 * Loaded into a service (`node --import`), measures the longest time that its main thread computes before it comes back to
 * its event loop: in CPU time, so that other programs on the machine do not count. Whoever connects to the socket
 * `LOOP_PROBE` gets it in milliseconds; then it begins again.
 */
import { createServer } from "node:net"

const used = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

let last = used()
let longest = 0
setInterval(() => {
  const now = used()
  longest = Math.max(longest, now - last)
  last = now
}, 1).unref()

createServer((socket) => {
  socket.end(String(longest))
  longest = 0
})
  .listen(process.env["LOOP_PROBE"])
  .unref()
