import {
  ArrowLeft,
  ArrowRight,
  AtSign,
  Check,
  ChevronDown,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  Copy,
  ExternalLink,
  Eye,
  EyeOff,
  Fingerprint,
  Info,
  KeyRound,
  Languages,
  Lock,
  LogOut,
  Mail,
  Monitor,
  Moon,
  Plus,
  RefreshCw,
  Server,
  ShieldCheck,
  Sun,
  Trash2,
  TriangleAlert,
  WifiOff,
  X,
  type LucideIcon,
} from 'lucide-react'
import { createElement } from 'react'
import type { insideIcons } from './icons-inside.ts'

const doorIcons = {
  'arrow-left': ArrowLeft,
  'arrow-right': ArrowRight,
  at: AtSign,
  check: Check,
  'chevron-down': ChevronDown,
  'chevron-right': ChevronRight,
  close: X,
  copy: Copy,
  danger: CircleAlert,
  external: ExternalLink,
  eye: Eye,
  'eye-off': EyeOff,
  fingerprint: Fingerprint,
  info: Info,
  key: KeyRound,
  languages: Languages,
  lock: Lock,
  mail: Mail,
  monitor: Monitor,
  moon: Moon,
  offline: WifiOff,
  plus: Plus,
  refresh: RefreshCw,
  server: Server,
  shield: ShieldCheck,
  'sign-out': LogOut,
  success: CircleCheck,
  sun: Sun,
  trash: Trash2,
  warning: TriangleAlert,
} satisfies Record<string, LucideIcon>

export type IconName = keyof typeof doorIcons | keyof typeof insideIcons

const known = new Map<string, LucideIcon>(Object.entries(doorIcons))

/** Adds the icons that only screens behind the door use, so that the door does not carry them. */
export function addIcons(icons: Record<string, LucideIcon>): void {
  for (const [name, icon] of Object.entries(icons)) known.set(name, icon)
}

/** One drawing of the fixed set. It says nothing to a screen reader: the words stand beside it, or name its button. */
export function Icon({ name, size = 16, className }: { name: IconName; size?: number; className?: string | undefined }) {
  const drawing = known.get(name)
  if (!drawing) return <svg width={size} height={size} aria-hidden className={className} />
  return createElement(drawing, { size, strokeWidth: size > 20 ? 1.5 : 1.75, 'aria-hidden': true, focusable: false, className })
}
