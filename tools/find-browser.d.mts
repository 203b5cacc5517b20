/** The path of a browser that is there, or undefined. `PORTICO_CHROMIUM` wins. */
export function findBrowser(): string | undefined
/** The path of a browser. Undefined, and a sentence said, when there is none and none can be installed. */
export function requireBrowser(): string | undefined
