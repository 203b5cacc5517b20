/** One `[functions.<name>]` section. Paths are relative to the `supabase` folder; empty means the default. */
export interface FunctionSettings {
  enabled: boolean
  verifyJwt: boolean
  importMap: string
  entrypoint: string
  /** Patterns of files that the function may read besides the functions' own folder: `./emails/*.html`. */
  staticFiles: readonly string[]
  env: Readonly<Record<string, string>>
}

/** What one function may use. Beyond it the worker is ended and the callers told `WORKER_LIMIT`. */
export interface FunctionLimits {
  /** JavaScript heap; all memory together may be half as much again, beside what an empty worker takes. */
  memoryBytes: number
  /** Processor time for one request. At half of it the worker gets no further requests. */
  cpuMs: number
  /** How long a worker lives. At half of it further requests go to a new one. */
  wallMs: number
  /** How long a caller waits for the first byte, and then for each further one. */
  readMs: number
  /** How long a worker may take until it listens, first download of its modules included. */
  bootMs: number
  /** How long a worker without work is kept. */
  idleMs: number
  /** Requests that one function answers at the same time. */
  requests: number
  /** Workers at the same time, all functions together. */
  workers: number
}

export interface FunctionsSettings {
  /** Absolute: what holds `functions/`. Left out: there is no project, and no function. */
  supabaseFolder?: string
  /** By the function's name. */
  functions: Readonly<Record<string, FunctionSettings>>
  /** `[edge_runtime.secrets]`, given to every function. */
  secrets: Readonly<Record<string, string>>
  /** `oneshot`: a new worker for every request. */
  policy: 'per_worker' | 'oneshot'
  limits: FunctionLimits
}

const megabyte = 1024 * 1024

/** The hosted limits, as far as they are known. @see https://supabase.com/docs/guides/functions/limits */
export const defaultFunctionLimits: FunctionLimits = {
  memoryBytes: 256 * megabyte,
  cpuMs: 2000,
  wallMs: 400_000,
  readMs: 150_000,
  bootMs: 120_000,
  idleMs: 120_000,
  requests: 100,
  workers: 12,
}

export const defaultFunctionsSettings: FunctionsSettings = { functions: {}, secrets: {}, policy: 'per_worker', limits: defaultFunctionLimits }
