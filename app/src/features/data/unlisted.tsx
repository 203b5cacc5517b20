import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toAppError } from '#api/unwrap.ts'
import { descriptionQuery, sampleRows, type Knowledge } from '#features/data/description/description-query.ts'
import { readNamedTables, writeNamedTables, type NamedTable } from '#features/data/description/named-tables.ts'
import { useSource } from '#features/data/source.ts'
import { useWords } from '#features/data/words.ts'
import { useMessages } from '#messages/messages.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { TextField } from '#ui/text-field.tsx'
import css from './overview.module.css'

/** For a project that does not describe itself: name tables by hand, and the SQL that makes it do so. */
export function Unlisted({ from }: { from: Knowledge['from'] }) {
  const words = useWords()
  return (
    <section className={css.unlisted}>
      {from === 'openapi' ? <p>{words.unlistedPartly}</p> : <h2>{words.unlistedTitle}</h2>}
      <p>{words.unlistedHint}</p>
      <Sql />
      {from === 'named' && <NameTables />}
    </section>
  )
}

function Sql() {
  const words = useWords()
  const sql = useQuery({
    queryKey: ['portico-describe-sql'],
    queryFn: readMigration,
    staleTime: Infinity,
  })
  if (sql.isError) return <p>{words.sqlFailed}</p>
  return sql.data === undefined ? null : (
    <>
      <pre className={css.sql} tabIndex={0}>{sql.data}</pre>
      <CopyButton value={sql.data} label={words.copySql} />
    </>
  )
}

/** The migration that ships with the app. A server that answers its start page for any address has not got it. */
async function readMigration(): Promise<string> {
  const reply = await fetch('/portico_describe.sql')
  const text = await reply.text()
  if (!reply.ok || !text.includes('function public.portico_describe')) throw new Error('portico_describe.sql is not beside the app')
  return text
}

function NameTables() {
  const words = useWords()
  const { errors } = useMessages()
  const source = useSource()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [schema, setSchema] = useState('public')
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState(false)
  const named = readNamedTables(source.project.id)
  const keep = (tables: NamedTable[]) => {
    writeNamedTables(source.project.id, tables)
    void queries.invalidateQueries({ queryKey: descriptionQuery(source).queryKey })
  }
  const add = async () => {
    const table = { schema: schema.trim(), name: name.trim() }
    if (table.name === '' || table.schema === '') return
    setPending(true)
    setProblem(undefined)
    try {
      await sampleRows(source, table)
      keep([...named.filter((other) => other.schema !== table.schema || other.name !== table.name), table])
      setName('')
    } catch (cause) {
      const error = toAppError(cause)
      setProblem(error.kind === 'missing' ? words.tableNotFound : errors.byKind[error.kind].title)
    } finally {
      setPending(false)
    }
  }
  return (
    <>
      <form className={css.naming} onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}>
        <TextField label={words.schemaName} value={schema} onChange={(event) => setSchema(event.target.value)} spellCheck={false} autoCapitalize="off" />
        <TextField label={words.tableName} value={name} error={problem} onChange={(event) => setName(event.target.value)} spellCheck={false} autoCapitalize="off" />
        <Button type="submit" variant="primary" pending={pending}>{words.addTable}</Button>
      </form>
      {named.length > 0 && (
        <ul className={css.named} aria-label={words.namedTables}>
          {named.map((table) => (
            <li key={`${table.schema}.${table.name}`} className={css.namedOne}>
              <Chip>{`${table.schema}.${table.name}`}</Chip>
              <IconButton size="small" icon="close" label={words.forgetTable(table.name)} onClick={() => keep(named.filter((other) => other !== table))} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
