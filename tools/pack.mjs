// npm run -s pack: the SQL that gives a hosted project what Portico has built in; --write DIR makes a migration of it.
process.argv.splice(2, 0, 'pack')
await import('./start.mjs')
