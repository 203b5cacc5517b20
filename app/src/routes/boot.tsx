import { useState } from 'react'
import { Logo } from '#ui/logo.tsx'

/** What `index.html` shows before the first script runs, drawn alike, so that nothing moves in between. */
export function Boot() {
  // The mark goes on appearing where the page's own left off.
  const [animationDelay] = useState(() => `${Math.round(250 - performance.now())}ms`)
  return (
    <div className="boot">
      <span style={{ animationDelay }}>
        <Logo size={32} />
      </span>
    </div>
  )
}
