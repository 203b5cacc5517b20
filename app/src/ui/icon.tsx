import {
  Check,
  ChevronDown,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  Copy,
  ExternalLink,
  Eye,
  EyeOff,
  Info,
  KeyRound,
  Languages,
  Mail,
  Monitor,
  Moon,
  RefreshCw,
  Sun,
  TriangleAlert,
  WifiOff,
  X,
  type LucideIcon,
} from 'lucide-react'
import { createElement } from 'react'
import type { insideIcons } from './icons-inside.ts'

const doorIcons = {
  check: Check,
  'chevron-down': ChevronDown,
  'chevron-right': ChevronRight,
  close: X,
  copy: Copy,
  danger: CircleAlert,
  external: ExternalLink,
  eye: Eye,
  'eye-off': EyeOff,
  info: Info,
  key: KeyRound,
  languages: Languages,
  mail: Mail,
  monitor: Monitor,
  moon: Moon,
  offline: WifiOff,
  refresh: RefreshCw,
  success: CircleCheck,
  sun: Sun,
  warning: TriangleAlert,
} satisfies Record<string, LucideIcon>

/** Drawings that the one screen which uses them brings along. */
type OwnIcon = 'pause' | 'play'

export type IconName = keyof typeof doorIcons | keyof typeof insideIcons | OwnIcon

const known = new Map<string, LucideIcon>(Object.entries(doorIcons))

/** Adds the icons that only screens behind the door use, so that the door does not carry them. */
export function addIcons(icons: Record<string, LucideIcon>): void {
  for (const [name, icon] of Object.entries(icons)) known.set(name, icon)
}

/** One drawing of the fixed set. It says nothing to a screen reader: the words stand beside it, or name its button. */
export function Icon({ name, size = 16, className }: { name: IconName; size?: number; className?: string | undefined }) {
  const drawing = known.get(name)
  if (!drawing) return <svg width={size} height={size} aria-hidden className={className} />
  // What points along the line of reading is mirrored where that runs from the right (base.css).
  const points = /(left|right)$/.test(name) ? { 'data-points': '' } : {}
  return createElement(drawing, { size, strokeWidth: size > 20 ? 1.5 : 1.75, 'aria-hidden': true, focusable: false, className, ...points })
}
