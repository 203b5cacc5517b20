/** What the pages of the local post have in common. Colours and measures are those of the app; the pages stand alone and so repeat the few they need. */
export const postStyle = `
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
body { background: var(--canvas); color: var(--text); font: 400 0.875rem/1.25rem var(--sans) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.bar { display: flex; align-items: center; gap: 16px; padding: 10px 16px; border-block-end: 1px solid var(--line) }
.brand { display: flex; align-items: center; gap: 8px; font-size: 0.875rem; font-weight: 600 }
.brand svg { color: var(--accent) }
.kinds { display: flex; gap: 4px }
.kinds a { display: inline-flex; align-items: center; height: 32px; padding: 0 10px; border-radius: 6px; color: var(--muted); font-size: 0.8125rem; font-weight: 500; text-decoration: none }
.kinds a:hover { background: var(--hover) }
.kinds a[aria-current] { background: var(--selected); color: var(--text) }
.count { margin-inline-start: auto; color: var(--muted); font-size: 0.8125rem; font-variant-numeric: tabular-nums }
.offline { padding: 6px 16px; background: var(--warning-soft); color: var(--warning-text); font-size: 0.8125rem }
button, a.quiet { display: inline-flex; align-items: center; height: 32px; padding: 0 10px; font: 500 0.8125rem/1 var(--sans); color: inherit; background: transparent; border: 1px solid transparent; border-radius: 6px; cursor: pointer; text-decoration: none; white-space: nowrap }
button.quiet, a.quiet { border-color: var(--line) }
.quiet:hover { background: var(--hover) }
button.strong { background: var(--danger); color: var(--on-danger) }
button.code { font-family: var(--mono); letter-spacing: 0.04em }
.nothing { max-width: 360px; margin: 0 auto; padding: 64px 24px; text-align: center; color: var(--muted) }
.nothing h2 { margin-block-end: 4px; color: var(--text); font-size: 1rem; line-height: 1.5rem; font-weight: 600 }
dialog { margin: auto; width: fit-content; max-width: min(400px, calc(100vw - 32px)); padding: 24px; color: inherit; background: var(--surface); border: 1px solid var(--line); border-radius: 10px }
dialog::backdrop { background: oklch(0.2 0.01 60 / 0.4) }
dialog h2 { font-size: 1rem; line-height: 1.5rem; margin-block-end: 4px }
dialog p { color: var(--muted) }
.choices { display: flex; justify-content: flex-end; gap: 8px; margin-block-start: 20px }
@media (max-width: 799px) {
  button, a.quiet, .kinds a { height: 40px }
  .kinds ~ .count { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
  .kinds ~ #delete-all { margin-inline-start: auto }
}
`
