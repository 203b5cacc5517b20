import { join } from 'node:path'
import type { Clock } from '#contract/clock.ts'
import type { ProjectKeys } from '#contract/keys.ts'
import type { Logger } from '#contract/logger.ts'
import { findDeno } from '#services/functions/deno.ts'
import { createFunctionsService, type FunctionsService } from '#services/functions/service.ts'
import type { Config } from './config.ts'
import { parseDotenv } from './config/environment.ts'
import type { ProjectFolder } from './project-folder.ts'
import { functionsSettings } from './service-settings.ts'

export interface EdgeFunctionsParts {
  config: Config
  keys: ProjectKeys
  clock: Clock
  log: Logger
  /** Where functions reach the box. */
  origin: string
  project: ProjectFolder | undefined
  dataFolder: string | undefined
  databaseUrl: string | undefined
}

/** Builds what runs the project's functions; undefined when the project switches them off. */
export function openEdgeFunctions({ config, keys, clock, log, origin, project, dataFolder, databaseUrl }: EdgeFunctionsParts): FunctionsService | undefined {
  if (!config.edgeRuntime.enabled) return undefined
  return createFunctionsService({
    settings: functionsSettings(config, project?.supabase),
    keys,
    logger: log,
    clock,
    origin,
    deno: findDeno(config.server.denoPath),
    denoEnvironment: config.server.downloads,
    parseDotenv,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(dataFolder === undefined ? {} : { cacheFolder: join(dataFolder, 'functions', 'modules') }),
  })
}
