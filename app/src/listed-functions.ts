/** A function that the operator, or the box, lists in `portico.json`: enough to offer it, and how its first call may look. */
export interface ListedFunction {
  /** As the address has it: `office-hours`. */
  name: string
  title?: string
  description?: string
  /** `POST` when left out. */
  method?: string
  /** Any JSON; a text is sent as it stands. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

export interface FunctionFault {
  at: string
  code: 'functions' | 'function-name' | 'function-field' | 'function-secret'
}

export const functionMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** What the hosted backend takes for a name. */
export const isFunctionName = (name: unknown): name is string => typeof name === 'string' && /^[A-Za-z][\w-]*$/.test(name)

/** Reads a list of functions; `at` is where it stands in the file. One with a fault is left out. */
export function readFunctions(value: unknown, at: string): { functions: ListedFunction[]; faults: FunctionFault[] } {
  if (value !== undefined && !Array.isArray(value)) return { functions: [], faults: [{ at, code: 'functions' }] }
  const faults: FunctionFault[] = []
  const names = new Set<unknown>()
  const functions = (value ?? []).flatMap((entry: unknown, index: number) => {
    const found = judge(entry, `${at}[${index}]`, names)
    faults.push(...found)
    return found.length === 0 ? [entry as ListedFunction] : []
  })
  return { functions, faults }
}

function judge(entry: unknown, at: string, names: Set<unknown>): FunctionFault[] {
  const { name, title, description, method, headers } = (entry ?? {}) as Record<string, unknown>
  const faults: FunctionFault[] = []
  if (!isFunctionName(name) || names.has(name)) faults.push({ at: `${at}.name`, code: 'function-name' })
  names.add(name)
  const isText = (text: unknown) => text === undefined || typeof text === 'string'
  if (!isText(title)) faults.push({ at: `${at}.title`, code: 'function-field' })
  if (!isText(description)) faults.push({ at: `${at}.description`, code: 'function-field' })
  if (method !== undefined && !functionMethods.includes(String(method))) faults.push({ at: `${at}.method`, code: 'function-field' })
  if (headers === undefined) return faults
  // An array would read as headers named 0, 1, …
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return [...faults, { at: `${at}.headers`, code: 'function-field' }]
  for (const [key, text] of Object.entries(headers)) {
    if (typeof text !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(key)) faults.push({ at: `${at}.headers.${key}`, code: 'function-field' })
    // The file is public: whoever opens the app can read it.
    else if (/^(authorization|apikey|cookie)$/i.test(key)) faults.push({ at: `${at}.headers.${key}`, code: 'function-secret' })
  }
  return faults
}
