/** Colours and measures are those of the app; the mailbox stands alone and so repeats the few it needs. */
export const mailboxStyle = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(oklch(0.974 0.004 75), oklch(0.172 0.005 70));
  --surface: light-dark(oklch(0.993 0.002 75), oklch(0.204 0.006 70));
  --hover: light-dark(oklch(0.955 0.005 75), oklch(0.256 0.007 70));
  --selected: light-dark(oklch(0.935 0.012 60), oklch(0.292 0.012 55));
  --line: light-dark(oklch(0.912 0.006 75), oklch(0.286 0.007 70));
  --line-control: light-dark(oklch(0.635 0.01 70), oklch(0.545 0.01 70));
  --text: light-dark(oklch(0.235 0.01 60), oklch(0.938 0.005 75));
  --muted: light-dark(oklch(0.445 0.012 65), oklch(0.765 0.008 72));
  --accent: light-dark(oklch(0.542 0.14 38), oklch(0.74 0.12 45));
  --danger: light-dark(oklch(0.52 0.178 25), oklch(0.64 0.17 24));
  --danger-text: light-dark(oklch(0.49 0.17 26), oklch(0.775 0.115 22));
  --on-danger: light-dark(oklch(0.995 0.004 75), oklch(0.16 0.02 25));
  --warning-text: light-dark(oklch(0.46 0.095 68), oklch(0.84 0.105 84));
  --warning-soft: light-dark(oklch(0.963 0.033 85), oklch(0.278 0.036 78));
  --sans: 'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  --mono: ui-monospace, 'SF Mono', Menlo, Consolas, monospace;
}
* { box-sizing: border-box; margin: 0 }
[hidden] { display: none !important }
html, body { height: 100% }
body { display: flex; flex-direction: column; background: var(--canvas); color: var(--text); font: 400 0.875rem/1.25rem var(--sans) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.skip { position: absolute; inset-inline-start: 8px; top: -48px; padding: 8px 12px; background: var(--surface); border-radius: 6px; color: inherit; z-index: 1 }
.skip:focus { top: 8px }

.bar { display: flex; align-items: center; gap: 16px; padding: 10px 16px; border-block-end: 1px solid var(--line) }
.brand { display: flex; align-items: center; gap: 8px; font-size: 0.875rem; font-weight: 600 }
.brand svg { color: var(--accent) }
.kinds { display: flex; gap: 4px }
.kinds a { display: inline-flex; align-items: center; height: 32px; padding: 0 10px; border-radius: 6px; color: var(--muted); font-size: 0.8125rem; font-weight: 500; text-decoration: none }
.kinds a:hover { background: var(--hover) }
.kinds a[aria-current] { background: var(--selected); color: var(--text) }
.search { flex: 1; max-width: 420px; margin-inline-start: 8px }
input { width: 100%; height: 32px; padding: 0 10px; font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--line-control); border-radius: 6px }
input::placeholder { color: var(--muted); opacity: 1 }
.count { margin-inline-start: auto; color: var(--muted); font-size: 0.8125rem; font-variant-numeric: tabular-nums }
.offline { padding: 6px 16px; background: var(--warning-soft); color: var(--warning-text); font-size: 0.8125rem }

button, a.quiet { display: inline-flex; align-items: center; height: 32px; padding: 0 10px; font: 500 0.8125rem/1 var(--sans); color: inherit; background: transparent; border: 1px solid transparent; border-radius: 6px; cursor: pointer; text-decoration: none; white-space: nowrap }
button.quiet, a.quiet { border-color: var(--line) }
.quiet:hover { background: var(--hover) }
button.danger { color: var(--danger-text) }
button.strong { background: var(--danger); color: var(--on-danger) }
button.code { font-family: var(--mono); letter-spacing: 0.04em }

main { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(280px, 360px) minmax(0, 1fr) }
.list { overflow-y: auto; border-inline-end: 1px solid var(--line) }
.list ul { list-style: none; padding: 0 }
.list a { display: grid; grid-template-columns: 1fr auto; gap: 2px 12px; padding: 10px 16px; color: inherit; text-decoration: none; border-block-end: 1px solid var(--line) }
.list a:hover { background: var(--hover) }
.list a:focus-visible { outline-offset: -2px }
.list a[aria-current] { background: var(--selected) }
.list .who, .list .what, .list .snippet { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.list time { color: var(--muted); font-size: 0.75rem; font-variant-numeric: tabular-nums }
.list .what { grid-column: 1 / -1 }
.list .snippet { grid-column: 1 / -1; color: var(--muted); font-size: 0.8125rem }
.list .new .who, .list .new .what { font-weight: 600 }
.list .new .who::before { content: ''; display: inline-block; width: 7px; height: 7px; margin-inline-end: 7px; border-radius: 50%; background: var(--accent); vertical-align: 1px }

.reading { display: flex; flex-direction: column; min-width: 0; outline: none }
#mail { flex: 1; min-height: 0; display: flex; flex-direction: column }
.head { padding: 20px 24px 12px; border-block-end: 1px solid var(--line) }
.head h2 { font-size: 1.25rem; line-height: 1.75rem; font-weight: 600; overflow-wrap: anywhere }
.head dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin-block: 8px 12px; font-size: 0.8125rem }
.head dt { color: var(--muted) }
.head dd { overflow-wrap: anywhere }
.back { display: none; color: var(--muted); margin-block-end: 8px; min-height: 24px }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 8px }
.grow { flex: 1 }
.tabs { display: inline-flex; padding: 2px; border: 1px solid var(--line); border-radius: 6px }
.tabs button { height: 26px; border-radius: 4px; color: var(--muted) }
.tabs button[aria-pressed='true'] { background: var(--selected); color: var(--text) }
iframe { flex: 1; min-height: 0; width: 100%; border: 0; background: Canvas }
pre { flex: 1; overflow: auto; padding: 24px; font: 400 0.8125rem/1.25rem var(--mono); white-space: pre-wrap; overflow-wrap: anywhere }

.nothing { max-width: 360px; margin: 0 auto; padding: 64px 24px; text-align: center; color: var(--muted) }
.nothing h2 { margin-block-end: 4px; color: var(--text); font-size: 1rem; line-height: 1.5rem; font-weight: 600 }
dialog { margin: auto; max-width: 400px; padding: 24px; color: inherit; background: var(--surface); border: 1px solid var(--line); border-radius: 10px }
dialog::backdrop { background: oklch(0.2 0.01 60 / 0.4) }
dialog h2 { font-size: 1rem; line-height: 1.5rem; margin-block-end: 4px }
dialog p { color: var(--muted) }
.choices { display: flex; justify-content: flex-end; gap: 8px; margin-block-start: 20px }

@media (max-width: 799px) {
  .bar { gap: 12px; flex-wrap: wrap }
  .search { order: 1; flex-basis: 100%; max-width: none; margin: 0 }
  input { height: 40px; font-size: 1rem }
  button, a.quiet, .kinds a { height: 40px }
  .kinds ~ .count { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
  .kinds ~ #delete-all { margin-inline-start: auto }
  .tabs button { height: 34px }
  main { grid-template-columns: minmax(0, 1fr) }
  .list { border: 0 }
  .head { padding: 16px }
  .grow, a.quiet#open { display: none }
  body.reads .list, body:not(.reads) .reading { display: none }
  .back { display: inline-flex; align-items: center }
}
`
