import { filled, isJson, type CallRequest, type Pair } from './request.ts'

const secretName = /authorization|cookie|passw|secret|token|api-?_?key|credential|private|signature|^pin$|^otp$/i
const secretValue = /\beyJ[\w-]{8,}\.[\w-]{8,}|\bsb_secret_|\bBearer\s+\S{8,}|-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:sk|pk|rk)_(?:live|test)_|\bgh[pousr]_\w{20,}/

const isSecret = ({ name, value }: Pair): boolean => value !== '' && (secretName.test(name) || secretValue.test(value))

/** Where a request seems to hold a secret: `header x-api-key`, `password`. Empty when nothing looks like one. */
export function findSecrets({ headers, query, form, text, bodyKind }: CallRequest): string[] {
  const pairs = [...filled(headers), ...filled(query), ...(bodyKind === 'form' ? filled(form) : [])].filter(isSecret).map(({ name }) => name)
  const inBody = bodyKind === 'json' || bodyKind === 'text' ? findInText(text) : []
  return [...new Set([...pairs, ...inBody])]
}

// `"password": "…"` of JSON, `password=…` of a form; and whatever looks like a token wherever it stands.
const named = /"([^"\\]{1,80})"(\s*:\s*)("(?:[^"\\]|\\.)*"|-?\d[\w.+-]*)|(?<=^|[&\s?])([\w.-]{1,80})=([^&\s]+)/g

function findInText(text: string): string[] {
  const names = [...text.matchAll(named)].flatMap((match) => match[1] ?? match[4] ?? []).filter((name) => secretName.test(name))
  return [...names, ...(secretValue.test(text) ? [text.match(secretValue)?.[0].slice(0, 6) ?? ''] : [])]
}

const cleanPairs = (pairs: readonly Pair[]): Pair[] => filled(pairs).map((pair) => (isSecret(pair) ? { ...pair, value: '' } : pair))

/** The same request with the values left out that seem to be secrets; their names stay, so that one sees what to fill in. */
export function withoutSecrets(request: CallRequest): CallRequest {
  return { ...request, headers: cleanPairs(request.headers), query: cleanPairs(request.query), form: cleanPairs(request.form), text: cleanText(request.text) }
}

function cleanText(text: string): string {
  const whole = isJson(text)
  const cleaned = text.replace(named, (...found: (string | undefined)[]) => {
    const [match = '', key, between, , formKey] = found
    if (key !== undefined && secretName.test(key)) return `"${key}"${between ?? ': '}""`
    return formKey !== undefined && secretName.test(formKey) ? `${formKey}=` : match
  })
  const left = cleaned.replaceAll(new RegExp(secretValue, 'g'), '')
  // A text that can no longer be read is worse than none.
  return whole && !isJson(left) ? '' : left
}
