import { formsIn } from '#messages/forms.ts'

export const { plural, list, choice, number, sentences } = formsIn('ar-u-nu-latn')

/** Keeps what reads from the left (a phone number, an address, code) in its own order within a sentence that reads from the right. */
export const ltr = (text: string) => `\u2066${text}\u2069`

/** Sets apart what people and projects have named: it reads in its own direction, and leaves that of the sentence alone. */
export const own = (text: string) => `\u2068${text}\u2069`
