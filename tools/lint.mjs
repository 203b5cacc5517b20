// Checks the arrows of docs/architecture.md (who may import whom), one rule per folder read from disk, and the size limits.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { tmpdir } from 'node:os'

const root = join(import.meta.dirname, '..')
const folders = (path) =>
  existsSync(join(root, path))
    ? readdirSync(join(root, path), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name)
    : []

// Globs are matched from the configuration's own folder, which is a temporary one: hence the leading `**/`.
const mayNotImport = (folder, names, message) => ({
  files: [`**/${folder}/**`],
  rules: { 'no-restricted-imports': ['error', { patterns: [{ regex: `^(\\.\\./|${names})`, message }] }] },
})
// The siblings are spelt out: the linter's regular expressions know no look-ahead.
const eachIn = (folder, rule) =>
  folders(folder).map((name) => rule(`${folder}/${name}`, folders(folder).filter((other) => other !== name).join('|') || '-'))

const arrows = [
  ...eachIn('app/src/features', (folder, others) =>
    mayNotImport(folder, `@supabase/|@portico/|#routes/|#features/(${others})/`, 'Features meet only in routes/.')),
  mayNotImport('app/src/ui', '#|@supabase/|@portico/|@tanstack/react-query', 'ui/ draws what it is given.'),
  mayNotImport('app/src/projects', '#(api|features|messages|routes|session|ui)/|@supabase/|@portico/|@tanstack/', 'projects/ keeps public facts and asks nobody.'),
  mayNotImport('app/src/messages', '#(api|features|routes|session|ui)/|@supabase/|@portico/|@tanstack/', 'messages/ holds words only.'),
  ...eachIn('app/src/messages', (folder) =>
    mayNotImport(folder, '#(api|features|routes|session|ui)/|@supabase/|@portico/|@tanstack/|react', 'A language holds words only.')),
  mayNotImport('app/src/api', '#(routes|features|session|ui)/|@portico/', 'api/ knows the official client and nothing above it.'),
  mayNotImport('app/src/session', '#(routes|features|ui)/|@supabase/|@portico/', 'session/ stands on api/ alone.'),
  mayNotImport('app/src/routes', '@supabase/|@portico/', 'routes/ place features; api/ talks to the project.'),
  ...eachIn('backend/src/services', (folder, others) =>
    mayNotImport(folder, `@portico/|#gateway/|#services/(${others})/`, 'Services meet only in backend.ts.')),
  mayNotImport('backend/src/gateway', '@portico/|#services/|#database/', 'The gateway is handed its mounts.'),
  mayNotImport('backend/src/database', '@portico/|#services/|#gateway/|hono', 'database/ knows no HTTP and no service.'),
  mayNotImport('backend/src/contract', '@portico/|#|hono|node:', 'contract/ is types and no I/O.'),
  mayNotImport('conformance', '@portico/app|@portico/cli|#', 'conformance/ talks to a URL.'),
]

const config = {
  plugins: ['typescript', 'react', 'import', 'unicorn'],
  categories: { correctness: 'error', suspicious: 'warn' },
  ignorePatterns: ['**/dist/**', '**/node_modules/**', '**/.portico/**'],
  rules: {
    'typescript/no-explicit-any': 'error',
    'import/no-default-export': 'off',
    'import/no-unassigned-import': ['warn', { allow: ['**/*.css'] }],
    'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    'max-params': ['error', { max: 3 }],
    'max-depth': ['error', { max: 3 }],
    'no-console': 'error',
    'no-shadow': 'off',
    'react/react-in-jsx-scope': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/consistent-function-scoping': 'off',
  },
  overrides: [
    ...arrows,
    { files: ['**/*.test.ts', '**/*.test.tsx', '**/e2e/**', '**/conformance/**', '**/bench/**', '**/tools/**'], rules: { 'max-lines-per-function': 'off', 'max-lines': 'off', 'no-console': 'off' } },
    { files: ['**/cli/**', '**/examples/**'], rules: { 'no-console': 'off' } },
  ],
}

const scratch = mkdtempSync(join(tmpdir(), 'portico-lint-'))
writeFileSync(join(scratch, 'oxlint.json'), JSON.stringify(config))
const paths = process.argv.slice(2)
const run = spawnSync(
  process.execPath,
  [join(root, 'node_modules/oxlint/bin/oxlint'), '-c', join(scratch, 'oxlint.json'), '--deny-warnings', ...(paths.length > 0 ? paths : ['app', 'backend', 'cli', 'conformance', 'e2e', 'bench', 'tools'])],
  { cwd: root, stdio: 'inherit' },
)
rmSync(scratch, { recursive: true })
process.exit(run.status ?? 1)
