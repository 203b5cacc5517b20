import { postStyle } from '#local-post/post-style.ts'

export const mailboxStyle = `${postStyle}
html, body { height: 100% }
body { display: flex; flex-direction: column }
.skip { position: absolute; inset-inline-start: 8px; top: -48px; padding: 8px 12px; background: var(--surface); border-radius: 6px; color: inherit; z-index: 1 }
.skip:focus { top: 8px }
.search { flex: 1; max-width: 420px; margin-inline-start: 8px }
input { width: 100%; height: 32px; padding: 0 10px; font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--line-control); border-radius: 6px }
input::placeholder { color: var(--muted); opacity: 1 }
button.danger { color: var(--danger-text) }
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
@media (max-width: 799px) {
  .bar { gap: 12px; flex-wrap: wrap }
  .search { order: 1; flex-basis: 100%; max-width: none; margin: 0 }
  input { height: 40px; font-size: 1rem }
  .tabs button { height: 34px }
  main { grid-template-columns: minmax(0, 1fr) }
  .list { border: 0 }
  .head { padding: 16px }
  .grow, a.quiet#open { display: none }
  body.reads .list, body:not(.reads) .reading { display: none }
  .back { display: inline-flex; align-items: center }
}
`
