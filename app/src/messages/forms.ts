/** Texts for each plural category a language has; `#` stands for the number, written as the language writes it. */
export type PluralForms = { other: string } & Partial<Record<Intl.LDMLPluralRule | 'exactlyZero', string>>

/** What a catalogue needs from its language: the plural rule, lists, numbers. */
export interface Forms {
  /** `plural(3, { one: '# row', other: '# rows' })` is "3 rows". `exactlyZero` wins for 0, whatever the language's rule. */
  plural: (count: number, forms: PluralForms) => string
  /** "a, b, and c" */
  list: (items: readonly string[]) => string
  /** "a, b, or c" */
  choice: (items: readonly string[]) => string
  number: (value: number) => string
  /** Whole sentences as one text; those that come without their full stop get it, but for the last. */
  sentences: (...sentences: readonly string[]) => string
}

/** Makes the forms of one language; `locale` is a BCP 47 tag such as `de`. */
export function formsIn(locale: string): Forms {
  const [stop, gap] = /^(ja|zh)/.test(locale) ? ['。', ''] : ['.', ' ']
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  const all = new Intl.ListFormat(locale, { type: 'conjunction' })
  const either = new Intl.ListFormat(locale, { type: 'disjunction' })
  return {
    plural: (count, forms) => {
      const form = count === 0 && forms.exactlyZero !== undefined ? forms.exactlyZero : (forms[rules.select(count)] ?? forms.other)
      return form.replaceAll('#', numbers.format(count))
    },
    list: (items) => all.format(items),
    choice: (items) => either.format(items),
    number: (value) => numbers.format(value),
    sentences: (...sentences) => sentences.filter((sentence) => sentence !== '').map((sentence, at, all) => (at < all.length - 1 && !/[.?!…:。？！：]$/.test(sentence) ? sentence + stop : sentence)).join(gap),
  }
}
