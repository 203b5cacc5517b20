import { Building2, Smartphone, UserRound, Wallet } from 'lucide-react'
import { Icon } from '#ui/icon.tsx'
import type { OtherWay } from '#features/front-door/door-ways.ts'
import { providerName } from '#session/provider-names.ts'
import css from './ways.module.css'

const drawings = { phone: Smartphone, sso: Building2, guest: UserRound, wallet: Wallet } as const

/** What stands before the words of a button: a drawing of ours, the operator's image, or a provider's initial. Other people's marks are not redrawn. */
export function WayMark({ way, icon }: { way: OtherWay; icon?: string | undefined }) {
  const image = icon ?? (way.kind === 'provider' ? way.icon : undefined)
  if (image !== undefined) {
    return (
      <span className={css.mark} aria-hidden>
        <img src={image} alt="" />
      </span>
    )
  }
  if (way.kind === 'provider') {
    return (
      <span className={`${css.mark} ${css.letter}`} aria-hidden>
        {(way.name ?? providerName(way.id)).trim().charAt(0).toUpperCase()}
      </span>
    )
  }
  if (way.kind === 'passkey') return <Icon name="key" size={18} />
  const Drawing = drawings[way.kind]
  return <Drawing size={18} strokeWidth={1.75} aria-hidden focusable={false} />
}
