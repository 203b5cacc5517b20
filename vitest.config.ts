import { defineConfig } from 'vitest/config'
import { findBrowser } from './tools/find-browser.mjs'
import { openTestScratch } from './tools/test-scratch.mjs'

openTestScratch()

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the browser the journeys run in. */
    chromium: string
  }
}

// The bundler's `text` loader for `.sql`, in the tests' own words.
const sqlAsText = {
  name: 'sql-as-text',
  enforce: 'pre' as const,
  transform: (code: string, id: string) => (id.endsWith('.sql') ? { code: `export default ${JSON.stringify(code)}`, map: null } : undefined),
}

export default defineConfig({
  plugins: [sqlAsText],
  test: {
    projects: [
      { extends: true, test: { name: 'backend', root: './backend', include: ['src/**/*.test.ts'], environment: 'node' } },
      { extends: true, test: { name: 'cli', root: './cli', include: ['src/**/*.test.ts'], environment: 'node' } },
      { extends: true, test: { name: 'app', root: './app', include: ['src/**/*.test.{ts,tsx}'], environment: 'node' } },
      { extends: true, test: { name: 'conformance', root: './conformance', include: ['**/*.test.ts'], environment: 'node', globalSetup: './global-setup.ts' } },
      {
        extends: true,
        test: {
          name: 'e2e',
          root: './e2e',
          include: ['**/*.test.ts'],
          environment: 'node',
          provide: { chromium: findBrowser() ?? '' },
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // A box, a browser and the test are three busy processes already.
          fileParallelism: false,
        },
      },
    ],
    testTimeout: 60_000,
    // Starting a database is ten seconds of work for one processor, and others may want it as well.
    hookTimeout: 180_000,
    // The second of the default is nothing on a busy machine.
    expect: { poll: { timeout: 20_000, interval: 50 } },
    // Each file may hold a whole database; two at once is what a two-core machine carries.
    maxWorkers: 2,
  },
})
