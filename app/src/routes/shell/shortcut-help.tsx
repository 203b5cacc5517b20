import { useMessages } from '#messages/messages.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { places } from './places.ts'
import css from './shortcut-help.module.css'

type Name = keyof ReturnType<typeof useMessages>['shell']['shortcutNames']
type Group = keyof ReturnType<typeof useMessages>['shell']['shortcutGroups']

/** Alternatives are listed; each is one press, or two in turn. */
const shortcuts: readonly [group: Group, list: readonly [name: Name, keys: readonly string[]][]][] = [
  ['everywhere', [['palette', ['mod+k']], ['help', ['?']], ['tables', ['g', 't']], ['account', ['g', 'a']]]],
  ['lists', [['move', ['up', 'down', 'left', 'right']], ['open', ['enter']], ['select', ['space']]]],
  ['records', [['save', ['mod+enter']], ['close', ['esc']]]],
]

/** Every shortcut on one card; `?` opens it. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { shell } = useMessages()
  return (
    <Dialog open onClose={onClose} title={shell.shortcuts}>
      <div className={css.groups}>
        {shortcuts.map(([group, list]) => (
          <section key={group}>
            <h3 className={css.heading}>{shell.shortcutGroups[group]}</h3>
            <dl className={css.list}>
              {list.map(([name, keys]) => (
                <div key={name} className={css.line}>
                  <dt>{shell.shortcutNames[name]}</dt>
                  <dd className={css.keys}>
                    {keys.map((key) => (
                      <Kbd key={key} keys={key} />
                    ))}
                  </dd>
                </div>
              ))}
              {group === 'everywhere' && places.map(({ id, keys }) => keys && (
                <div key={id} className={css.line}>
                  <dt>{shell.goToPlace(shell.places[id])}</dt>
                  <dd className={css.keys}>
                    {keys.split(' ').map((key) => (
                      <Kbd key={key} keys={key} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
