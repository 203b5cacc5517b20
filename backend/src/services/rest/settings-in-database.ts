import type { RestSettings } from './settings.ts'

/** One `pgrst.…` setting of the login role. */
export interface ApiSetting {
  name: string
  value: string
}

const listOf = (value: string): string[] => value.split(',').map((part) => part.trim().replace(/^"(.*)"$/, '$1')).filter((part) => part !== '')

const isOn = (value: string): boolean => ['true', 'on', '1', 'yes'].includes(value.toLowerCase())

const textOrNothing = (value: string): string | undefined => (value === '' ? undefined : value)

const oneOf = <T extends string>(allowed: readonly T[], value: string): T | undefined => allowed.find((word) => word === value)

const transactionEnds = ['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'] as const
const openApiModes = ['follow-privileges', 'ignore-privileges', 'disabled'] as const

function schemasOf(value: string): Partial<RestSettings> {
  const [first, ...others] = listOf(value)
  return first === undefined ? {} : { schemas: [first, ...others] }
}

const readers: Readonly<Record<string, (value: string) => Partial<RestSettings>>> = {
  db_schemas: schemasOf,
  db_schema: schemasOf,
  db_extra_search_path: (value) => ({ extraSearchPath: listOf(value) }),
  db_max_rows: (value) => ({ maxRows: /^\d+$/.test(value) ? Number(value) : undefined }),
  max_rows: (value) => ({ maxRows: /^\d+$/.test(value) ? Number(value) : undefined }),
  db_aggregates_enabled: (value) => ({ aggregates: isOn(value) }),
  db_plan_enabled: (value) => ({ plans: isOn(value) }),
  db_pre_request: (value) => ({ preRequest: textOrNothing(value) }),
  pre_request: (value) => ({ preRequest: textOrNothing(value) }),
  db_root_spec: (value) => ({ rootFunction: textOrNothing(value) }),
  root_spec: (value) => ({ rootFunction: textOrNothing(value) }),
  db_hoisted_tx_settings: (value) => ({ hoistedSettings: listOf(value) }),
  db_tx_end: (value) => {
    const transactionEnd = oneOf(transactionEnds, value)
    return transactionEnd ? { transactionEnd } : {}
  },
  openapi_mode: (value) => {
    const openApi = oneOf(openApiModes, value)
    return openApi ? { openApi } : {}
  },
}

const prefix = 'pgrst.'

/**
 * Lets settings kept in the database override those the process was started with. Which role callers without a token have, and how
 * tokens are checked, stays the gateway's.
 *
 * @see https://docs.postgrest.org/en/v14/references/configuration.html, "In-Database Configuration"
 */
export function applyApiSettings(settings: RestSettings, found: readonly ApiSetting[]): RestSettings {
  return found.reduce<RestSettings>((made, { name, value }) => {
    const word = name.slice(prefix.length)
    if (word.startsWith('app_settings_')) {
      return { ...made, appSettings: { ...made.appSettings, [`app.settings.${word.slice('app_settings_'.length)}`]: value } }
    }
    return Object.hasOwn(readers, word) ? { ...made, ...readers[word]!(value) } : made
  }, settings)
}
