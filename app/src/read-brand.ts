import type { Brand, BrandFault, BrandText, ReadBrand } from './brand.ts'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '' && value.length <= 300

// A path of this origin, or https: what the page's policy lets a browser fetch or open. `//host` is no path.
const isAddress = (value: unknown) => typeof value === 'string' && (/^\/(?![/\\])/.test(value) || (/^https:\/\/[^/]/.test(value) && URL.canParse(value)))

interface Rule {
  is: (value: unknown) => boolean
  code: BrandFault['code']
}

const image: Rule = { is: isAddress, code: 'brand-image' }
const facts: Readonly<Record<string, Rule>> = {
  logo: image,
  logoDark: image,
  icon: image,
  logoOnly: { is: (value) => value === true, code: 'brand' },
  accent: { is: (value) => typeof value === 'string' && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(value), code: 'brand-accent' },
}
const text: Rule = {
  is: (value: unknown): value is BrandText => isText(value) || (isRecord(value) && Object.keys(value).length > 0 && Object.values(value).every(isText)),
  code: 'brand-text',
}
const link: Rule = { is: (value) => isAddress(value) || (typeof value === 'string' && /^mailto:[^\s@]+@[^\s@]+$/.test(value)), code: 'brand-link' }
const texts: Readonly<Record<string, Rule>> = { signInTitle: text, signInLead: text, signUpTitle: text, signUpLead: text }
const links: Readonly<Record<string, Rule>> = { help: link, terms: link, privacy: link, imprint: link }

/** Reads the members that have a rule; `unknown` is the fault of one that has none. */
function readMembers(value: Record<string, unknown>, at: string, { rules, unknown }: { rules: Readonly<Record<string, Rule>>; unknown: BrandFault['code'] }) {
  const given = Object.entries(value).filter(([name, member]) => member !== undefined && !(name === 'logoOnly' && member === false))
  const isWell = ([name, member]: [string, unknown]) => Object.hasOwn(rules, name) && rules[name]?.is(member) === true
  return {
    read: Object.fromEntries(given.filter(isWell)),
    faults: given.filter((member) => !isWell(member)).map(([name]): BrandFault => ({ at: `${at}.${name}`, code: rules[name]?.code ?? unknown })),
  }
}

/** @see ReadBrand */
export const readBrand: ReadBrand = (value, at) => {
  if (!isRecord(value)) return { faults: [{ at, code: 'brand' }] }
  const { texts: givenTexts = {}, links: givenLinks = {}, ...rest } = value
  const own = readMembers(rest, at, { rules: facts, unknown: 'brand' })
  const words = readMembers(isRecord(givenTexts) ? givenTexts : { '': givenTexts }, `${at}.texts`, { rules: texts, unknown: 'brand-text' })
  const pages = readMembers(isRecord(givenLinks) ? givenLinks : { '': givenLinks }, `${at}.links`, { rules: links, unknown: 'brand-link' })
  return { brand: { ...own.read, texts: words.read, links: pages.read } as Brand, faults: [...own.faults, ...words.faults, ...pages.faults] }
}
