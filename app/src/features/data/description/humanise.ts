const shortForms = new Map([['id', 'ID'], ['uuid', 'UUID'], ['url', 'URL'], ['api', 'API'], ['ip', 'IP'], ['sla', 'SLA'], ['vat', 'VAT'], ['iban', 'IBAN'], ['html', 'HTML'], ['json', 'JSON'], ['pdf', 'PDF'], ['sku', 'SKU'], ['utc', 'UTC']])

/** Turns a name of the schema into words: `sla_due_at` is "SLA due at", `firstName` is "First name". */
export function humanise(name: string): string {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[\s_\-.]+/u)
    .filter((word) => word !== '')
    .map((word) => shortForms.get(word.toLowerCase()) ?? word.toLowerCase())
  const sentence = words.join(' ')
  return sentence === '' ? name : sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** Names a foreign key by what it points at: `assignee_id` is "Assignee". */
export function humaniseReference(columnName: string): string {
  const trimmed = columnName.replace(/(?:_(?:id|uuid|fk)|I[dD])$/u, '')
  return humanise(trimmed === '' ? columnName : trimmed)
}
