/** Joins the class names that apply: `classNames(css.button, wide && css.wide)`. */
export const classNames = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ')
