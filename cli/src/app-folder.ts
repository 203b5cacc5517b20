import { fileURLToPath } from 'node:url'

// Seen from dist/cli, where the command lies when it runs.
const fromCommand = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The built app. */
export const appFolder = fromCommand('../../app/dist')

/** The database a first start begins with. */
export const templateFile = fromCommand('../template/template.tar.gz')

/** The project that is started when none is named. */
export const exampleProject = fromCommand('../../examples/helpdesk')
