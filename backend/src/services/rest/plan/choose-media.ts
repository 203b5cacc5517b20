import { mediaNotAvailable } from '#services/rest/errors.ts'
import { anyMedia, jsonMedia, mediaName, parseMediaType, type MediaType } from '#services/rest/request/media-type.ts'
import type { MediaHandler } from '#services/rest/schema-cache/media-handlers.ts'
import type { SchemaCache } from '#services/rest/schema-cache/schema-cache.ts'
import type { QualifiedName } from '#services/rest/schema-cache/table.ts'

/** How rows become a body. */
export type Rendering =
  | { kind: 'json' | 'csv' | 'geojson' | 'none' }
  | { kind: 'array' }
  | { kind: 'object'; stripNulls: boolean }
  | { kind: 'custom'; handler: MediaHandler }

export interface ChosenMedia {
  rendering: Rendering
  media: MediaType
}

export interface MediaWanted {
  accept: readonly MediaType[]
  from: QualifiedName
  /** Whether `*` alone is selected: only then do a relation's own handlers fit its rows. */
  wholeSelect: boolean
  plans: boolean
}

const builtin = new Map<string, ChosenMedia>([
  ['*/*', { rendering: { kind: 'json' }, media: jsonMedia }],
  ['application/json', { rendering: { kind: 'json' }, media: jsonMedia }],
  ['text/csv', { rendering: { kind: 'csv' }, media: { kind: 'csv' } }],
  ['application/geo+json', { rendering: { kind: 'geojson' }, media: { kind: 'geojson' } }],
])

function lookUp(cache: SchemaCache, media: MediaType, wanted: MediaWanted): ChosenMedia | undefined {
  const name = mediaName(media)
  const own = (asked: string): MediaHandler | undefined => (wanted.wholeSelect ? cache.findMediaHandler(wanted.from, asked) : undefined)
  const handler = own(mediaName(anyMedia)) ?? own(name) ?? cache.findMediaHandler(undefined, name)
  if (handler) return { rendering: { kind: 'custom', handler }, media: parseMediaType(handler.answered) }
  return builtin.get(name)
}

function match(cache: SchemaCache, media: MediaType, wanted: MediaWanted): ChosenMedia | undefined {
  switch (media.kind) {
    case 'object':
      return { rendering: { kind: 'object', stripNulls: media.stripNulls }, media }
    case 'array':
      return { rendering: { kind: 'array' }, media }
    case 'plan': {
      const planned = wanted.plans && media.of.kind !== 'plan' ? match(cache, media.of, wanted) : undefined
      return planned && { rendering: planned.rendering, media }
    }
    default:
      return lookUp(cache, media, wanted)
  }
}

/** Picks the first accepted media type the rows can be rendered as. @throws PGRST107 (406) */
export function chooseMedia(cache: SchemaCache, wanted: MediaWanted): ChosenMedia {
  for (const media of wanted.accept) {
    const chosen = match(cache, media, wanted)
    if (chosen) return chosen
  }
  throw mediaNotAvailable(wanted.accept.map(mediaName))
}
