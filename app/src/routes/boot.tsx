import { Logo } from '#ui/logo.tsx'

/** What `index.html` shows before the first script runs, drawn alike, so that nothing moves in between. */
export function Boot() {
  return (
    <div className="boot">
      <Logo size={32} />
    </div>
  )
}
