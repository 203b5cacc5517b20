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
// Nobody climbs with `..`, from whatever depth.
const forbid = (files, names, message) => ({
  files: files.map((glob) => `**/${glob}`),
  rules: { 'no-restricted-imports': ['error', { patterns: [{ regex: `(^|/)\\.\\./|^(${names})`, message }] }] },
})
const mayNotImport = (folder, names, message) => forbid([`${folder}/**`], names, message)
// The siblings are spelt out: the linter's regular expressions know no look-ahead.
const eachIn = (folder, rule) =>
  folders(folder).flatMap((name) => rule(`${folder}/${name}`, folders(folder).filter((other) => other !== name).join('|') || '-'))
// A service's tests are the ones who may talk to it through the official client.
const testsIn = (folder) => [`${folder}/**/*.test.ts`, `${folder}/**/testing.ts`, `${folder}/**/open-test-*.ts`]

const above = '#(main|app)\\b'
const arrows = [
  forbid(['app/src/*.ts', 'app/src/*.tsx'], '@supabase/|@portico/', 'Only api/ talks to the project; app and backend share no code.'),
  ...eachIn('app/src/features', (folder, others) =>
    mayNotImport(folder, `@supabase/|@portico/|${above}|#routes/|#features/(${others})/`, 'Features meet only in routes/.')),
  mayNotImport('app/src/ui', '#|@supabase/|@portico/|@tanstack/react-query', 'ui/ draws what it is given.'),
  mayNotImport('app/src/projects', `${above}|#(api|features|messages|routes|session|ui)/|@supabase/|@portico/|@tanstack/`, 'projects/ keeps public facts and asks nobody.'),
  mayNotImport('app/src/messages', `${above}|#(api|features|routes|session|ui)/|@supabase/|@portico/|@tanstack/`, 'messages/ holds words only.'),
  ...eachIn('app/src/messages', (folder) =>
    mayNotImport(folder, `${above}|#(api|features|routes|session|ui)/|@supabase/|@portico/|@tanstack/|react`, 'A language holds words only.')),
  mayNotImport('app/src/api', `${above}|#(routes|features|session|ui)/|@portico/`, 'api/ knows the official client and nothing above it.'),
  mayNotImport('app/src/session', `${above}|#(routes|features|ui)/|@supabase/|@portico/`, 'session/ stands on api/ alone.'),
  mayNotImport('app/src/routes', `${above}|@supabase/|@portico/`, 'routes/ place features; api/ talks to the project.'),
  ...eachIn('backend/src/services', (folder, others) => [
    mayNotImport(folder, `@portico/|@supabase/|#(backend|config|index|keys)\\b|#gateway/|#services/(${others})/`, 'Services meet only in backend.ts.'),
    forbid(testsIn(folder), `@portico/|#(backend|config|index)\\b|#gateway/|#services/(${others})/`, 'Services meet only in backend.ts.'),
  ]),
  mayNotImport('backend/src/gateway', '@portico/|@supabase/|#(backend|config|index|keys)\\b|#services/|#database/', 'The gateway is handed its mounts.'),
  mayNotImport('backend/src/database', '@portico/|@supabase/|#(backend|config|index|keys)\\b|#services/|#gateway/|hono', 'database/ knows no HTTP and no service.'),
  ...['backend/src/keys', 'backend/src/config'].map((folder) =>
    mayNotImport(folder, '@portico/|@supabase/|#(backend|index)\\b|#services/|#gateway/|#database/|hono', 'What is read at the start knows nothing of what runs.')),
  mayNotImport('backend/src/local-post', '@portico/|@supabase/|#|hono|node:', 'local-post/ is what two pages have in common.'),
  mayNotImport('backend/src/contract', '@portico/|@supabase/|#|hono|node:', 'contract/ is types and no I/O.'),
  mayNotImport('cli/src', '@portico/app|@supabase/|#', 'The command knows the backend by its public name.'),
  mayNotImport('conformance', '@portico/|#', 'conformance/ talks to a URL.'),
  mayNotImport('e2e', '@portico/|@supabase/|#', 'Journeys talk to a URL.'),
  forbid(['e2e/sibling-app.ts'], '@portico/|#', 'A sibling app has the official client, and nothing of ours.'),
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
