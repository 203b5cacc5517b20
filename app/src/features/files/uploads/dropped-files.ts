/** A file the person chose, and its place below the folder it goes to: `photos/2026/a.jpg`. */
export interface ChosenFile {
  file: File
  relativePath: string
}

/** More than this many at once is a mistake more often than a wish, and a page would not hold them. */
export const chosenAtMost = 20_000

/** What was dropped, folders walked through. Must be called while the event is being handled: its items are gone afterwards. */
export function readDropped(transfer: DataTransfer): Promise<ChosenFile[]> {
  const items = Array.from(transfer.items).filter(({ kind }) => kind === 'file')
  const roots = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  return walk(roots)
}

async function walk(roots: readonly { entry: FileSystemEntry | null; file: File | null }[]): Promise<ChosenFile[]> {
  const found: ChosenFile[] = []
  for (const { entry, file } of roots) {
    if (entry) await collect(entry, '', found)
    else if (file) found.push({ file, relativePath: file.name })
  }
  return found
}

async function collect(entry: FileSystemEntry, folder: string, found: ChosenFile[]): Promise<void> {
  if (found.length >= chosenAtMost) return
  const relativePath = folder === '' ? entry.name : `${folder}/${entry.name}`
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    // Folders on a Mac carry these along; nobody means them.
    if (file.name !== '.DS_Store') found.push({ file, relativePath })
  } else if (isDirectory(entry)) {
    for (const child of await readAll(entry.createReader())) await collect(child, relativePath, found)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** Browsers give a hundred at a time, and nothing once all were given. */
async function readAll(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}

/** What was chosen in a field; a folder's files know their place in it. */
export const readChosen = (files: FileList | null): ChosenFile[] =>
  Array.from(files ?? [])
    .filter(({ name }) => name !== '.DS_Store')
    .slice(0, chosenAtMost)
    .map((file) => ({ file, relativePath: file.webkitRelativePath || file.name }))
