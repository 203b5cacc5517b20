import { postStyle } from '#local-post/post-style.ts'

export const phoneStyle = `${postStyle}
body { min-height: 100vh }
.bar { flex-wrap: wrap; gap: 8px 16px; min-height: 53px }
main { max-width: 640px; margin: 0 auto; padding: 24px 16px 48px }
ul { display: grid; gap: 12px; list-style: none; padding: 0 }
li { display: grid; justify-items: start; gap: 8px; padding: 16px; background: var(--surface); border: 1px solid var(--line); border-radius: 10px }
.head { display: flex; align-items: baseline; gap: 8px; width: 100% }
.head h2 { font-size: 0.875rem; line-height: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums }
.channel { color: var(--muted); font-size: 0.75rem }
.head time { margin-inline-start: auto; color: var(--muted); font-size: 0.75rem; font-variant-numeric: tabular-nums }
.words { white-space: pre-wrap; overflow-wrap: anywhere }
.nothing { padding: 64px 8px }
@media (max-width: 799px) {
  .bar { gap: 8px 12px }
}
`
