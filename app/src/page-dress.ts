import type { Brand } from './brand.ts'

const ownIcon = '/favicon.svg'
let worn: string | undefined

/** Puts an operator's colour and icon on the page, or takes them off. Without the colour's file the app wears its own. */
export async function dressPage(brand: Brand | undefined): Promise<void> {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const href = brand?.icon ?? ownIcon
  if (icon && icon.getAttribute('href') !== href) {
    icon.removeAttribute('type')
    icon.href = href
  }
  const accent = brand?.accent
  if (accent === worn) return
  worn = accent
  const { wearAccent } = await import('#ui/accent.ts').catch(() => ({ wearAccent: undefined }))
  if (worn === accent) wearAccent?.(accent)
}
