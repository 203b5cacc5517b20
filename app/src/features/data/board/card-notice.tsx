import type { Row } from '#features/data/rows/row.ts'
import { useWords } from '#features/data/words.ts'
import { useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import type { CardNote } from './board-store.ts'
import css from './board.module.css'
import { useBoard, useBoardWords, useGroupLabel } from './board-view.ts'

/** Why the card is not where one put it, on the card itself, and what one can do. */
export function CardNotice({ note, row, id }: { note: CardNote; row: Row; id: string }) {
  const { store, move } = useBoard()
  const board = useBoardWords()
  const words = useWords()
  const labelOf = useGroupLabel()
  const { errors } = useMessages()
  const again = (label: string, to: Parameters<typeof move>[1]) => <Button onClick={() => move(row, to, { isFocused: true })}>{label}</Button>
  const text = () => {
    switch (note.kind) {
      case 'refused': return note.refusal.words ?? words.refusals[note.refusal.reason]
      case 'clash': return board.clash(labelOf(note.now))
      case 'failed': {
        const said = errors.byCode[note.error.code] ?? errors.byKind[note.error.kind]
        return errors.sentences(said.title, said.whatToDo)
      }
    }
  }
  return (
    <div className={css.notice} role="alert">
      <p><strong>{board.notMoved}</strong> {text()}</p>
      <span className={css.noticeActions}>
        {note.kind === 'clash' && again(board.moveAnyway(labelOf(note.to)), note.to)}
        {note.kind === 'failed' && again(board.tryAgain, note.to)}
        <Button variant="quiet" onClick={() => store.dismiss(id)}>{note.kind === 'clash' ? board.leaveIt : words.closeRecord}</Button>
      </span>
    </div>
  )
}
