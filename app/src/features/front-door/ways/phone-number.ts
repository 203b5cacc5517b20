/** Region and calling code, as the ITU gives them; shared codes stand with each of their regions. */
const regions =
  'AF93 AL355 DZ213 AS1 AD376 AO244 AI1 AG1 AR54 AM374 AW297 AU61 AT43 AZ994 BS1 BH973 BD880 BB1 BY375 BE32 BZ501 BJ229 BM1 BT975 BO591 BA387 BW267 BR55 IO246 VG1 BN673 BG359 BF226 BI257 KH855 CM237 CA1 CV238 BQ599 KY1 CF236 TD235 CL56 CN86 CO57 KM269 CG242 CD243 CK682 CR506 CI225 HR385 CU53 CW599 CY357 CZ420 DK45 DJ253 DM1 DO1 EC593 EG20 SV503 GQ240 ER291 EE372 SZ268 ET251 FK500 FO298 FJ679 FI358 FR33 GF594 PF689 GA241 GM220 GE995 DE49 GH233 GI350 GR30 GL299 GD1 GP590 GU1 GT502 GG44 GN224 GW245 GY592 HT509 HN504 HK852 HU36 IS354 IN91 ID62 IR98 IQ964 IE353 IM44 IL972 IT39 JM1 JP81 JE44 JO962 KZ7 KE254 KI686 XK383 KW965 KG996 LA856 LV371 LB961 LS266 LR231 LY218 LI423 LT370 LU352 MO853 MG261 MW265 MY60 MV960 ML223 MT356 MH692 MQ596 MR222 MU230 YT262 MX52 FM691 MD373 MC377 MN976 ME382 MS1 MA212 MZ258 MM95 NA264 NR674 NP977 NL31 NC687 NZ64 NI505 NE227 NG234 NU683 KP850 MK389 MP1 NO47 OM968 PK92 PW680 PS970 PA507 PG675 PY595 PE51 PH63 PL48 PT351 PR1 QA974 RE262 RO40 RU7 RW250 BL590 SH290 KN1 LC1 MF590 PM508 VC1 WS685 SM378 ST239 SA966 SN221 RS381 SC248 SL232 SG65 SX1 SK421 SI386 SB677 SO252 ZA27 KR82 SS211 ES34 LK94 SD249 SR597 SJ47 SE46 CH41 SY963 TW886 TJ992 TZ255 TH66 TL670 TG228 TK690 TO676 TT1 TN216 TR90 TM993 TC1 TV688 VI1 UG256 UA380 AE971 GB44 US1 UY598 UZ998 VU678 VA39 VE58 VN84 WF681 YE967 ZM260 ZW263'

export interface Region {
  /** ISO 3166: `DE`. */
  code: string
  /** `49` */
  calling: string
}

export const allRegions: readonly Region[] = regions.split(' ').map((entry) => ({ code: entry.slice(0, 2), calling: entry.slice(2) }))

/** Regions whose numbers keep their leading zero abroad. */
const keepsZero = new Set(['IT', 'SM', 'VA'])

/** The region of the reader's languages, as the browser names them: `de-AT` is Austria. */
export function regionOf(languages: readonly string[]): string {
  for (const tag of languages) {
    const region = Intl.Locale ? new Intl.Locale(tag).region : undefined
    if (region && allRegions.some(({ code }) => code === region)) return region
  }
  const likely = languages[0] ? new Intl.Locale(languages[0]).maximize().region : undefined
  return likely && allRegions.some(({ code }) => code === likely) ? likely : 'US'
}

/**
 * The number as the whole world dials it, `+491711234567`, from what was typed in any of the usual ways.
 *
 * @param region where it is a number of, unless it begins with `+` or `00`.
 * @returns undefined when it cannot be a whole number: 7 to 15 digits.
 */
export function readNumber(typed: string, region: string): string | undefined {
  const text = typed.normalize('NFKC').trim()
  if (!/^[+\d\s().\-–/]+$/.test(text)) return undefined
  const isWhole = text.startsWith('+') || text.startsWith('00')
  const digits = text.replaceAll(/\D/g, '')
  const calling = allRegions.find(({ code }) => code === region)?.calling ?? ''
  // "(0)" is for those who dial at home.
  const national = text.replaceAll('(0)', '').replaceAll(/\D/g, '')
  const whole = isWhole ? (text.startsWith('00') ? national.slice(2) : national) : `${calling}${keepsZero.has(region) ? digits : digits.replace(/^0+/, '')}`
  return /^[1-9]\d{6,14}$/.test(whole) ? `+${whole}` : undefined
}

/**
 * The region a whole number says it is of, `+49…` or `0049…`; undefined while it does not say. Regions that share a calling code
 * cannot be told apart: the one chosen stays, else the most populous of them is taken.
 */
export function regionOfNumber(typed: string, chosen: string): string | undefined {
  const text = typed.normalize('NFKC').trim()
  if (!/^(?:\+|00)/.test(text)) return undefined
  const digits = text.replaceAll(/\D/g, '').replace(/^00/, '')
  const matching = allRegions.filter(({ calling }) => digits.startsWith(calling)).toSorted((one, other) => other.calling.length - one.calling.length)
  const calling = matching[0]?.calling
  const alike = matching.filter((region) => region.calling === calling)
  return (alike.find(({ code }) => code === chosen) ?? alike.find(({ code }) => mostPopulous.has(code)) ?? alike[0])?.code
}

/** Of those that share a code. */
const mostPopulous = new Set(['US', 'RU', 'GB', 'IT', 'NO', 'FI', 'MA', 'AU', 'GP', 'CW', 'RE'])
