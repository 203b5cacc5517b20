// Puts the endpoint tables of the services' READMEs into docs/compatibility.md; with --check, says whether they are in step.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const services = join(root, 'backend/src/services')
const page = join(root, 'docs/compatibility.md')
const [start, end] = ['<!-- endpoints: made by tools/compatibility.mjs -->', '<!-- end of endpoints -->']

// The table whose first column is called "endpoint", from its head to the first line that is no row.
function endpointTable(readme) {
  const lines = readFileSync(readme, 'utf8').split('\n')
  const first = lines.findIndex((line) => line.startsWith('| endpoint'))
  if (first < 0) return undefined
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'))
  return lines.slice(first, length < 0 ? undefined : first + length).join('\n')
}

const sections = readdirSync(services, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(services, entry.name, 'README.md')))
  .map(({ name }) => ({ name, table: endpointTable(join(services, name, 'README.md')) }))
  .filter(({ table }) => table !== undefined)
  .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  .map(({ name, table }) => `### ${name}\n[backend/src/services/${name}](../backend/src/services/${name}/README.md)\n\n${table}`)

const text = readFileSync(page, 'utf8')
const [before, after] = [text.indexOf(start), text.indexOf(end)]
if (before < 0 || after < before) throw new Error(`${page} lacks its marks`)
const wanted = `${text.slice(0, before)}${start}\n\n${sections.join('\n\n')}\n\n${text.slice(after)}`
if (wanted !== text && process.argv.includes('--check')) {
  console.error('docs/compatibility.md is not in step with the services\' READMEs: run node tools/compatibility.mjs')
  process.exit(1)
}
if (wanted !== text) writeFileSync(page, wanted)
