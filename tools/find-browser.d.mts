/** The path of a browser that is there, or undefined. `PORTICO_CHROMIUM` wins. */
export function findBrowser(): string | undefined
/** The path of a browser. Ends the process with a sentence when there is none and none can be installed. */
export function requireBrowser(): string
