import { useDeferredValue, useMemo, useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Dialog } from 'react-aria-components/Dialog'
import { Header } from 'react-aria-components/Header'
import { Input } from 'react-aria-components/Input'
import { Collection } from 'react-aria-components/Collection'
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { SearchField } from 'react-aria-components/SearchField'
import { useMessages } from '#messages/messages.tsx'
import { AriaProvider } from '#ui/aria-provider.tsx'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import { Kbd } from '#ui/kbd.tsx'
import css from './command-palette.module.css'
import { findEntries, type PaletteEntry, type PaletteGroup } from './palette-entries.ts'
import { usePaletteGroups } from './use-palette-groups.ts'
import { useRecordSearch } from './use-record-search.ts'

/** Goes anywhere and does anything, by its name. */
export function CommandPalette({ onClose, ...actions }: { onClose: () => void; onHelp: () => void; onSignOut: () => void }) {
  const { shell } = useMessages()
  const [text, setText] = useState('')
  const sought = useDeferredValue(text)
  const groups = usePaletteGroups(actions)
  const records = useRecordSearch(text)
  const found = useMemo(() => {
    const rest = findEntries(groups, sought)
    return records.entries.length > 0 ? [...rest, { id: 'records', heading: shell.paletteRecords, entries: records.entries }] : rest
  }, [groups, sought, records.entries, shell])
  const run = (key: string | number) => {
    onClose()
    for (const { entries } of found) entries.find(({ id }) => id === key)?.run()
  }
  return (
    <AriaProvider>
      <ModalOverlay className={classNames(css.overlay)} isOpen isDismissable onOpenChange={(open) => void (!open && onClose())}>
        <Modal className={classNames(css.modal)}>
          <Dialog className={classNames(css.dialog)} aria-label={shell.paletteLabel}>
            <Autocomplete inputValue={text} onInputChange={setText} disableVirtualFocus={false}>
              <SearchField className={classNames(css.field)} aria-label={shell.paletteLabel} autoFocus>
                <Icon name="search" className={css.icon} />
                <Input className={classNames(css.input)} placeholder={shell.palettePlaceholder} />
              </SearchField>
              {/* The focus stays in the field; the list takes it for those who scroll by keys. */}
              <div className={css.list} tabIndex={0} role="group" aria-label={shell.paletteLabel}>
                <Menu className={classNames(css.entries)} aria-label={shell.paletteLabel} items={found} onAction={run} renderEmptyState={() => <p className={css.empty}>{records.isSearching ? shell.paletteSearching : shell.paletteEmpty}</p>}>
                  {(group) => <Group group={group} />}
                </Menu>
              </div>
            </Autocomplete>
            <footer className={css.foot} aria-hidden>
              <Kbd keys="up" />
              <Kbd keys="down" />
              {shell.paletteHint}
            </footer>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </AriaProvider>
  )
}

function Group({ group }: { group: PaletteGroup }) {
  return (
    <MenuSection id={group.id}>
      <Header className={classNames(css.heading)}>{group.heading}</Header>
      <Collection items={group.entries}>{(entry: PaletteEntry) => <Entry entry={entry} />}</Collection>
    </MenuSection>
  )
}

function Entry({ entry }: { entry: PaletteEntry }) {
  return (
    <MenuItem id={entry.id} textValue={entry.label} className={classNames(css.entry)}>
      <Icon name={entry.icon} className={css.entryIcon} />
      <span className={css.label}>{entry.label}</span>
      {entry.hint && <span className={css.hint}>{entry.hint}</span>}
    </MenuItem>
  )
}
