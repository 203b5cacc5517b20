import { formsIn } from '#messages/forms.ts'

export const { plural, list, choice, number, sentences } = formsIn('zh')
