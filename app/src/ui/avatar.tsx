import { useState } from 'react'
import css from './avatar.module.css'
import { classNames } from './class-names.ts'
import { tintOf } from './tint.ts'

export interface AvatarProps {
  /** A name or an address; gives the initials and the tint. */
  name: string
  src?: string | undefined
  /** In pixels: 24 by default. */
  size?: number | undefined
  /** Square for a project, round for a person (default). */
  shape?: 'round' | 'square' | undefined
}

/** A person's picture, or their initials. The name stands beside it, so it is silent. */
export function Avatar({ name, src, size = 24, shape = 'round' }: AvatarProps) {
  const [broken, setBroken] = useState<string>()
  const box = { width: size, height: size, fontSize: Math.round(size * 0.42) }
  return (
    <span className={classNames(css.avatar, css[tintOf(name)], css[shape])} style={box} aria-hidden>
      {src && src !== broken ? <img src={src} alt="" width={size} height={size} onError={() => setBroken(src)} referrerPolicy="no-referrer" /> : initials(name)}
    </span>
  )
}

/** "Ada Lovelace" gives AL, "ada@example.com" gives A. */
function initials(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/).filter(Boolean)
  const chosen = name.includes('@') || words.length < 2 ? words.slice(0, 1) : [words[0], words.at(-1)]
  return chosen.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '').join('') || '?'
}
