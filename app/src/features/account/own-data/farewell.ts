const key = 'portico.farewell'

/** Leaves the project's name for the page that says goodbye; nothing else of the person stays. */
export const writeFarewell = (project: string): void => sessionStorage.setItem(key, project)

/** The project left a moment ago in this tab; empty when none was. */
export const readFarewell = (): string => sessionStorage.getItem(key) ?? ''

export const forgetFarewell = (): void => sessionStorage.removeItem(key)
