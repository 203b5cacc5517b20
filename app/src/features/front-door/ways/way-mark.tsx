import { Building2, Smartphone, UserRound, Wallet } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import type { OtherWay } from '#features/front-door/door-ways.ts'
import { providerName } from '#session/provider-names.ts'
import css from './ways.module.css'

const drawings = { phone: Smartphone, sso: Building2, guest: UserRound, wallet: Wallet } as const

/** What stands before the words of a button: a drawing of ours, a provider's mark, the operator's or the wallet's own image. */
export function WayMark({ way, icon }: { way: OtherWay; icon?: string | undefined }) {
  const image = icon ?? (way.kind === 'provider' ? way.icon : undefined)
  if (image !== undefined) {
    return (
      <span className={css.mark} aria-hidden>
        <img src={image} alt="" />
      </span>
    )
  }
  if (way.kind === 'provider') return <ProviderMark id={way.id} name={way.name ?? providerName(way.id)} />
  if (way.kind === 'passkey') return <Icon name="key" size={18} />
  const Drawing = drawings[way.kind]
  return <Drawing size={18} strokeWidth={1.75} aria-hidden focusable={false} />
}

/** The provider's mark, else its initial. Nothing is there before it is known which, so that nothing changes under the eye. */
function ProviderMark({ id, name }: { id: string; name: string }) {
  const marks = useProviderMarks()
  const outline = marks && Object.hasOwn(marks, id) ? marks[id] : undefined
  if (outline !== undefined) {
    return (
      <span className={css.mark} aria-hidden>
        <svg viewBox="0 0 24 24" width="16" height="16" fill="currentColor" focusable="false">
          <path d={outline} fillRule="evenodd" />
        </svg>
      </span>
    )
  }
  return (
    <span className={`${css.mark} ${marks ? css.letter : ''}`} aria-hidden>
      {marks && name.trim().charAt(0).toUpperCase()}
    </span>
  )
}

type Marks = Readonly<Record<string, string>>
let fetched: Marks | undefined

/** Fetched for those who have such buttons; without them the initials have to do. */
function useProviderMarks(): Marks | undefined {
  const [marks, setMarks] = useState(fetched)
  useEffect(() => {
    if (marks) return
    let isWanted = true
    import('./provider-marks.ts').then(
      ({ providerMarks }) => {
        fetched = providerMarks
        if (isWanted) setMarks(providerMarks)
      },
      () => isWanted && setMarks({}),
    )
    return () => {
      isWanted = false
    }
  }, [marks])
  return marks
}
