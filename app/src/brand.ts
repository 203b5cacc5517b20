/** A text, or one for each language: `{ "en": "…", "de": "…" }`. */
export type BrandText = string | Readonly<Record<string, string>>

/** How an operator's app looks, without code. Its name is the project's. */
export interface Brand {
  /** Address of an image, drawn 28 px high beside the name. */
  logo?: string
  /** The same for dark surfaces. */
  logoDark?: string
  /** The logo has the name in it: no name is written beside it. */
  logoOnly?: true
  /** Shown in the browser's tab. */
  icon?: string
  /** `#rrggbb` or `#rgb`; its lightness is shifted where it would not be read. */
  accent?: string
  texts: Readonly<Partial<Record<BrandTextName, BrandText>>>
  links: Readonly<Partial<Record<BrandLink, string>>>
}

export type BrandTextName = 'signInTitle' | 'signInLead' | 'signUpTitle' | 'signUpLead'
export type BrandLink = 'help' | 'terms' | 'privacy' | 'imprint'

/** One thing wrong with a brand; `code` is a key of the catalogue's `connect.faults`. */
export interface BrandFault {
  at: string
  code: 'brand' | 'brand-image' | 'brand-accent' | 'brand-text' | 'brand-link'
}

/** What reading `brand` of `portico.json` gives: every fault at once, what is faulty left out. */
export type ReadBrand = (value: unknown, at: string) => { brand?: Brand; faults: readonly BrandFault[] }

/** A brand's text in a language, else in English, else in the first it has. */
export function brandText(brand: Brand | undefined, name: BrandTextName, language: string): string | undefined {
  const text = brand?.texts[name]
  if (text === undefined || typeof text === 'string') return text
  return text[language] ?? text['en'] ?? Object.values(text)[0]
}
