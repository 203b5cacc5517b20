/** Something several screens use at once and that takes its time to open. */
export interface Shareable {
  close: () => void
}

// Going from a table to its record and back neither leaves nor joins anything.
const lingerMs = 3000

/** A thing in use; whoever has it gives it back. */
export interface Held<Thing> {
  thing: Thing
  release: () => void
}

interface Entry {
  thing: Shareable
  holders: number
  closing: ReturnType<typeof setTimeout> | undefined
}

const held = new Map<string, Entry>()

/** Opens the thing of this name, or takes the one that is open; closes it some time after its last holder let go. */
export function hold<Thing extends Shareable>(name: string, open: () => Thing): Held<Thing> {
  const entry: Entry = held.get(name) ?? { thing: open(), holders: 0, closing: undefined }
  held.set(name, entry)
  clearTimeout(entry.closing)
  entry.holders += 1
  const release = () => {
    entry.holders -= 1
    if (entry.holders > 0) return
    entry.closing = setTimeout(() => {
      if (held.get(name) === entry) held.delete(name)
      entry.thing.close()
    }, lingerMs)
  }
  // A name belongs to one kind of thing: its maker chooses it.
  return { thing: entry.thing as Thing, release }
}
