// A load generator in a process of its own: one JSON job on the command line, one JSON result on standard output.
// A job: { url, method, headers, body, connections, seconds } or { url…, everyMs, seconds } for a probe at a steady beat.
import http from 'node:http'

const job = JSON.parse(process.argv[2])
const target = new URL(job.url)
const agent = new http.Agent({ keepAlive: true, maxSockets: job.connections ?? 1 })
const latenciesMs = []
const statuses = {}

const once = () =>
  new Promise((resolve) => {
    const startedAt = performance.now()
    const request = http.request(
      { agent, host: target.hostname, port: target.port, path: target.pathname + target.search, method: job.method ?? 'GET', headers: job.headers },
      (response) => {
        response.resume()
        response.on('end', () => {
          latenciesMs.push(performance.now() - startedAt)
          statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1
          resolve()
        })
      },
    )
    request.on('error', () => {
      statuses.failed = (statuses.failed ?? 0) + 1
      resolve()
    })
    request.end(job.body)
  })

const until = performance.now() + job.seconds * 1000
const worker = async () => {
  while (performance.now() < until) await once()
}
const beat = async () => {
  while (performance.now() < until) {
    await once()
    await new Promise((resolve) => setTimeout(resolve, job.everyMs))
  }
}
const startedAt = performance.now()
await (job.everyMs ? beat() : Promise.all(Array.from({ length: job.connections }, worker)))
const elapsedSeconds = (performance.now() - startedAt) / 1000
latenciesMs.sort((a, b) => a - b)
const at = (share) => Number((latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))] ?? 0).toFixed(1))
console.log(JSON.stringify({ perSecond: Number((latenciesMs.length / elapsedSeconds).toFixed(1)), p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), statuses }))
process.exit(0)
