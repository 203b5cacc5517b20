#!/usr/bin/env node
await import('../dist/cli/portico.js')
