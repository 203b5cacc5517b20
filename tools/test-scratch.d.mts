/** Makes the folder and names it to this process and those it starts; once a run. */
export function openTestScratch(): void
