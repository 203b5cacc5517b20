import type { ReactNode } from 'react'
import { AppError } from '#api/app-error.ts'
import { toAppError } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { Failure } from '#ui/failure.tsx'

/** A failed call where its answer would have stood: what happened, what to do, and the server's own words folded away. */
export function DataFailure({ error, onRetry, retrying, layout, action }: {
  error: unknown
  onRetry?: (() => void) | undefined
  retrying?: boolean | undefined
  layout?: 'place' | 'line' | undefined
  action?: ReactNode
}) {
  const { errors } = useMessages()
  const failure = toAppError(error)
  const words = errors.byCode[failure.code] ?? errors.byKind[failure.kind]
  return (
    <Failure title={words.title} onRetry={onRetry} retrying={retrying} layout={layout} action={action} technical={technicalText(failure)} icon={failure.kind === 'offline' ? 'offline' : 'danger'}>
      {words.whatToDo}
    </Failure>
  )
}

/** The server's own words, for a report. */
export const technicalText = (error: AppError): string =>
  [error.code && `${error.code} ${error.status || ''}`.trim(), error.message, error.details, error.hint, error.requestId && `request ${error.requestId}`]
    .filter((line) => line !== '')
    .join('\n')
