/** What a browser says of itself, as people know it. Empty where it says nothing they would know. */
export interface Device {
  browser: string
  system: string
  kind: 'computer' | 'phone' | 'program'
}

// The order matters: most browsers name others before themselves, for the sake of old pages.
const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\/|\bOpera\b|\bOPT\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['DuckDuckGo', /\bDuckDuckGo\/|\bDdg\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /\bChrome\/|\bCriOS\/|\bHeadlessChrome\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
]

const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['iPhone', /\biPhone\b|\biPod\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b|\bDarwin\//],
  ['Linux', /\bLinux\b|\bX11\b/],
]

// Programs that sign in without a browser, by the name they go by.
const programs: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Node.js', /^node\b|\bundici\b/i],
  ['Deno', /^Deno\//],
  ['Bun', /^Bun\//],
  ['curl', /^curl\//],
  ['Dart', /^Dart\//],
  ['Python', /^python\b/i],
  ['Postman', /^Postman/],
]

const find = (names: readonly (readonly [name: string, mark: RegExp])[], text: string): string => names.find(([, mark]) => mark.test(text))?.[0] ?? ''

/** Reads a `User-Agent`. Versions are left out: they change under a session, and nobody knows them by heart. */
export function readDevice(userAgent: string): Device {
  const text = userAgent.slice(0, 512)
  const browser = find(browsers, text)
  const system = find(systems, text)
  if (browser === '') {
    const program = find(programs, text)
    if (program !== '') return { browser: program, system, kind: 'program' }
  }
  const isPhone = system === 'iPhone' || (system === 'Android' && /\bMobile\b/.test(text))
  return { browser, system, kind: isPhone ? 'phone' : 'computer' }
}
