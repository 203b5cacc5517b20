import { parameterInvalid } from '#services/storage/errors.ts'
import { integer, number, object, oneOf } from '#services/storage/shape.ts'

const gravities = ['no', 'so', 'ea', 'we', 'noea', 'nowe', 'soea', 'sowe', 'ce', 'sm', 'fp'] as const
const formats = ['origin', 'avif', 'webp'] as const
const resizes = ['cover', 'contain', 'fill'] as const

/** How an image is to be changed. Sides in pixels; left out or 0, a side follows the other. */
export interface Transformation {
  height?: number | undefined
  width?: number | undefined
  resize?: (typeof resizes)[number] | undefined
  format?: (typeof formats)[number] | undefined
  /** 20 to 100. */
  quality?: number | undefined
  /** Which part stays when something is cut off: a side, a corner, `ce` the middle, `sm` what draws the eye, `fp` a point. */
  gravity?: (typeof gravities)[number] | undefined
  /** Below 1 a part of the image, from 1 on pixels; of `fp` the point, 0 to 1. */
  x_offset?: number | undefined
  y_offset?: number | undefined
}

const side = integer({ min: 0 })
const members = {
  height: side,
  width: side,
  resize: oneOf(...resizes),
  format: oneOf(...formats),
  quality: integer({ min: 20, max: 100 }),
  gravity: oneOf(...gravities),
  x_offset: number(),
  y_offset: number(),
}

/** Reads a transformation from a query or from JSON. */
export const transformation = object(members)

const clamp = (value: number): number => Math.min(Math.max(value, 1), 2000)
const resizingTypes = { cover: 'fill', contain: 'fit', fill: 'force' } as const
const isShare = (value: number | undefined): boolean => value !== undefined && value >= 0 && value <= 1

function gravitySegment({ gravity, x_offset: x, y_offset: y }: Transformation): string[] {
  if (gravity === undefined) return []
  if (gravity === 'sm') return ['gravity:sm']
  if (gravity === 'fp') {
    if (!isShare(x) || !isShare(y)) throw parameterInvalid('Focal point requires x and y coordinates within 0-1 range')
    return [`gravity:fp:${x}:${y}`]
  }
  return [x === undefined && y === undefined ? `gravity:${gravity}` : `gravity:${gravity}:${x ?? 0}:${y ?? 0}`]
}

/** Sides as they are used: 1 to 2000 pixels. */
export const limitSides = (asked: Transformation): Transformation => ({
  ...asked,
  height: asked.height ? clamp(asked.height) : undefined,
  width: asked.width ? clamp(asked.width) : undefined,
})

/**
 * Writes a transformation as the hosted API names its steps, for the header `x-transformations`.
 *
 * @see supabase/storage src/storage/renderer/image.ts, `applyTransformation`
 */
export function describeTransformation(asked: Transformation): string[] {
  const { height, width, resize, quality, format } = limitSides(asked)
  return [
    ...(height ? [`height:${height}`] : []),
    ...(width ? [`width:${width}`] : []),
    ...(height || width ? [`resizing_type:${resizingTypes[resize ?? 'cover']}`] : []),
    ...(quality ? [`quality:${quality}`] : []),
    ...(format && format !== 'origin' ? [`format:${format}`] : []),
    ...gravitySegment(asked),
  ]
}

/** Writes a transformation for the token of a link; empty when there is nothing to change. */
export function encodeTransformation(asked: Transformation): string {
  const steps = describeTransformation(asked).map((step) => (step.startsWith('resizing_type:') ? `resize:${asked.resize ?? 'cover'}` : step))
  return steps.join(',')
}

/** Reads what `encodeTransformation` wrote; what is no part of a transformation is dropped. */
export function decodeTransformation(text: string): Transformation {
  const said: Record<string, string> = {}
  for (const step of text.split(',')) {
    const [name = '', value = '', x, y] = step.split(':')
    if (!(name in members) || value === '') continue
    said[name] = value
    if (name === 'gravity' && x) said.x_offset = x
    if (name === 'gravity' && y) said.y_offset = y
  }
  // Older links name no way to resize where there was none.
  if (said.resize === 'undefined') delete said.resize
  return transformation(said, 'token')
}
