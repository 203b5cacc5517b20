import type { Person } from './people.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)

const mark = '<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M2.5 7 10 2.75 17.5 7zM4.75 9.5v6M10 9.5v6M15.25 9.5v6M2.5 17.5h15"/></svg>'

const frame = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escape(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/identity.css">
</head>
<body>
<main>
  <p class="brand">${mark} Local identity</p>
  ${content}
</main>
</body>
</html>
`

const initials = (person: Person): string => {
  const words = (person.name === '' ? person.email : person.name).split(/[\s@.]+/).filter((word) => word !== '')
  return words.slice(0, 2).map((word) => [...word][0] ?? '').join('').toUpperCase()
}

const personRow = (person: Person): string => `<li><button class="person" name="person" value="${escape(person.sub)}">
    <span class="mark" aria-hidden="true">${escape(initials(person))}</span>
    <span class="who"><span class="name">${escape(person.name === '' ? person.email : person.name)}</span>${person.name === '' ? '' : `<span class="email">${escape(person.email)}</span>`}</span>
    ${person.isVerified ? '' : '<span class="chip">Not verified</span>'}
  </button></li>`

export interface ChoicePage {
  /** The project that is signed in to. */
  project: string
  /** The provider this one stands in for, as people write it; empty: itself. */
  standsInFor: string
  /** Names the waiting request. */
  request: string
  people: readonly Person[]
  /** Put into the form: what was typed before, or hinted at. */
  typed: { name: string; email: string; isVerified: boolean }
  /** What is wrong with what was typed. */
  fault?: string
}

/** The page on which somebody says who they are. */
export function choicePage({ project, standsInFor, request, people, typed, fault }: ChoicePage): string {
  const role = standsInFor === '' ? 'Nobody is asked for a password here.' : `Stands in for ${escape(standsInFor)} on this machine. Nobody is asked for a password.`
  const hidden = `<input type="hidden" name="request" value="${escape(request)}">`
  const known = people.length === 0
    ? ''
    : `<form method="post" action="/choose" aria-label="People">${hidden}<ul class="people">${people.map(personRow).join('')}</ul></form>
  <p class="divider"><span>or somebody else</span></p>`
  return frame(`Sign in to ${project}`, `<h1>Continue to ${escape(project)}</h1>
  <p class="lead">${role}</p>
  ${known}
  <form method="post" action="/choose" class="fields" novalidate>
    ${hidden}
    <label for="name">Name</label>
    <input id="name" name="name" autocomplete="off" maxlength="100" value="${escape(typed.name)}">
    <label for="email">E-mail address</label>
    <input id="email" name="email" type="email" autocomplete="off" maxlength="254" spellcheck="false" value="${escape(typed.email)}"${fault === undefined ? '' : ' aria-invalid="true" aria-describedby="fault" autofocus'}>
    ${fault === undefined ? '' : `<p id="fault" class="fault" role="alert">${escape(fault)}</p>`}
    <label class="check"><input type="checkbox" name="verified" value="yes"${typed.isVerified ? ' checked' : ''}> The provider has verified this address</label>
    <button class="primary">Continue</button>
    <button class="quiet" name="refuse" value="yes" formnovalidate>Cancel</button>
  </form>`)
}

/** A page that says one thing. */
export const wordsPage = (title: string, words: string): string => frame(title, `<h1>${escape(title)}</h1><p class="lead">${escape(words)}</p>`)

/** Colours and measures are those of the app; this page stands alone and so repeats the few it needs. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(oklch(0.974 0.004 75), oklch(0.172 0.005 70));
  --surface: light-dark(oklch(0.993 0.002 75), oklch(0.204 0.006 70));
  --hover: light-dark(oklch(0.955 0.005 75), oklch(0.256 0.007 70));
  --line: light-dark(oklch(0.912 0.006 75), oklch(0.286 0.007 70));
  --line-control: light-dark(oklch(0.635 0.01 70), oklch(0.545 0.01 70));
  --text: light-dark(oklch(0.235 0.01 60), oklch(0.938 0.005 75));
  --muted: light-dark(oklch(0.445 0.012 65), oklch(0.765 0.008 72));
  --accent: light-dark(oklch(0.542 0.14 38), oklch(0.74 0.12 45));
  --on-accent: light-dark(oklch(0.99 0.004 75), oklch(0.16 0.02 45));
  --danger-text: light-dark(oklch(0.49 0.17 26), oklch(0.775 0.115 22));
  --warning-text: light-dark(oklch(0.46 0.095 68), oklch(0.84 0.105 84));
  --warning-soft: light-dark(oklch(0.963 0.033 85), oklch(0.278 0.036 78));
  --sans: 'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
* { box-sizing: border-box; margin: 0 }
body { min-height: 100vh; display: grid; align-content: start; justify-items: center; padding: 12vh 16px 48px; background: var(--canvas); color: var(--text); font: 400 0.875rem/1.25rem var(--sans) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px }
main { width: 100%; max-width: 400px; padding: 32px; background: var(--surface); border: 1px solid var(--line); border-radius: 14px }
.brand { display: flex; align-items: center; gap: 8px; color: var(--muted); font-weight: 500; margin-block-end: 24px }
.brand svg { color: var(--accent) }
h1 { font-size: 1.25rem; line-height: 1.75rem; font-weight: 600; overflow-wrap: anywhere }
.lead { color: var(--muted); margin-block: 4px 24px; overflow-wrap: anywhere }
.people { list-style: none; padding: 0; display: grid; gap: 8px }
button { font: inherit; color: inherit; cursor: pointer; border-radius: 6px }
.person { width: 100%; min-height: 56px; display: flex; align-items: center; gap: 12px; padding: 8px 12px; text-align: start; background: transparent; border: 1px solid var(--line) }
.person:hover { background: var(--hover) }
.mark { flex: none; display: grid; place-items: center; width: 32px; height: 32px; border-radius: 50%; background: var(--hover); color: var(--muted); font-size: 0.75rem; font-weight: 600 }
.person:hover .mark { background: var(--line) }
.who { flex: 1; min-width: 0; display: grid }
.name, .email { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.name { font-weight: 500 }
.email { color: var(--muted); font-size: 0.8125rem }
.chip { flex: none; padding: 2px 8px; border-radius: 999px; background: var(--warning-soft); color: var(--warning-text); font-size: 0.75rem; line-height: 1rem }
.divider { display: flex; align-items: center; gap: 12px; margin-block: 20px; color: var(--muted); font-size: 0.8125rem }
.divider::before, .divider::after { content: ''; flex: 1; border-block-start: 1px solid var(--line) }
.fields { display: grid; gap: 6px }
.fields label { font-weight: 500 }
.fields input:not([type='checkbox']) { height: 40px; width: 100%; padding: 0 12px; margin-block-end: 10px; font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--line-control); border-radius: 6px }
.fields input[aria-invalid] { border-color: var(--danger-text); margin-block-end: 0 }
.fault { color: var(--danger-text); font-size: 0.8125rem; margin-block-end: 10px }
.fields .check { display: flex; align-items: center; gap: 8px; min-height: 24px; font-weight: 400; margin-block-end: 10px }
.check input { width: 16px; height: 16px; margin: 0; accent-color: var(--accent) }
.primary, .quiet { height: 40px; font-weight: 500; border: 1px solid transparent }
.primary { background: var(--accent); color: var(--on-accent) }
.primary:hover { filter: brightness(0.95) }
.quiet { background: transparent }
.quiet:hover { background: var(--hover) }

@media (max-width: 639px) {
  body { padding: 24px 0; background: var(--surface) }
  main { border: 0; padding-block: 16px }
  .fields input:not([type='checkbox']) { font-size: 1rem; height: 44px }
  .primary, .quiet { height: 44px }
}
`
