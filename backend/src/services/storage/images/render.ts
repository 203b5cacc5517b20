import type { Sharp } from 'sharp'
import { imageRefused } from '#services/storage/errors.ts'
import { createQueue } from './queue.ts'
import { limitSides, type Transformation } from './transformation.ts'

/** Files above are not read into memory. */
export const maxImageBytes = 25 * 1024 * 1024
// An image of few bytes may unfold to gigabytes.
const maxPixels = 50_000_000
const maxSeconds = 20
const defaultQuality = 80

const types = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp', avif: 'image/avif', gif: 'image/gif', tiff: 'image/tiff' } as const
type Format = keyof typeof types

export interface RenderedImage {
  bytes: Buffer
  mimeType: string
}

const unreadable = () => imageRefused('The source image is invalid or unsupported for rendering')

// By content, whatever type was told. None for SVG: a drawing of a few filters keeps a thread for minutes, and nothing can stop it.
const loaders = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff'].map((format) => `VipsForeignLoad${format}`)

// Native code that most boxes never need: brought in with the first image.
async function openImage(bytes: Uint8Array): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp(bytes, { limitInputPixels: maxPixels, sequentialRead: true, failOn: 'truncated', pages: 1 }).timeout({ seconds: maxSeconds })
}

function formatOf(source: string | undefined, asked: Transformation, accept: string): Format {
  if (asked.format === 'avif' || asked.format === 'webp') return asked.format
  if (asked.format !== 'origin' && accept.includes('image/webp')) return 'webp'
  if (source === 'heif') return 'avif'
  return source !== undefined && source in types ? (source as Format) : 'png'
}

type Size = { width: number; height: number }
const across = { we: 0, nowe: 0, sowe: 0, ea: 1, noea: 1, soea: 1 } as Readonly<Record<string, number>>
const down = { no: 0, noea: 0, nowe: 0, so: 1, soea: 1, sowe: 1 } as Readonly<Record<string, number>>

// Where the window over the scaled image begins, along one side.
function startOf({ room, share, offset }: { room: number; share: number; offset: number }): number {
  const pixels = Math.abs(offset) < 1 ? offset * room : offset
  // From the far side an offset counts inwards.
  const at = share * room + (share === 1 ? -pixels : pixels)
  return Math.round(Math.min(Math.max(at, 0), room))
}

function cropWindow(scaled: Size, window: Size, { gravity = 'ce', x_offset: x = 0, y_offset: y = 0 }: Transformation) {
  const room = { width: scaled.width - window.width, height: scaled.height - window.height }
  if (gravity === 'fp') {
    const centre = (length: number, part: number, free: number) => Math.round(Math.min(Math.max(length * part - (length - free) / 2, 0), free))
    return { left: centre(scaled.width, x, room.width), top: centre(scaled.height, y, room.height), ...window }
  }
  return {
    left: startOf({ room: room.width, share: across[gravity] ?? 0.5, offset: x }),
    top: startOf({ room: room.height, share: down[gravity] ?? 0.5, offset: y }),
    ...window,
  }
}

// Scales until both sides are covered, never up, and cuts the rest off where the gravity says.
function cover(image: Sharp, source: Size, asked: Transformation & Size): Sharp {
  if (asked.gravity === 'sm') return image.resize({ width: asked.width, height: asked.height, fit: 'cover', position: 'attention', withoutEnlargement: true })
  const scale = Math.min(Math.max(asked.width / source.width, asked.height / source.height), 1)
  const scaled = { width: Math.max(1, Math.round(source.width * scale)), height: Math.max(1, Math.round(source.height * scale)) }
  const window = { width: Math.min(asked.width, scaled.width), height: Math.min(asked.height, scaled.height) }
  return image.resize({ ...scaled, fit: 'fill' }).extract(cropWindow(scaled, window, asked))
}

function resize(image: Sharp, source: Size, asked: Transformation): Sharp {
  const { width, height, resize: way = 'cover' } = asked
  if (width === undefined && height === undefined) return image
  if (width !== undefined && height !== undefined && way === 'cover') return cover(image, source, { ...asked, width, height })
  return image.resize({ ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }), fit: way === 'fill' ? 'fill' : 'inside', withoutEnlargement: true })
}

const encode = (image: Sharp, format: Format, quality: number): Sharp => (format === 'png' || format === 'gif' ? image.toFormat(format) : image.toFormat(format, { quality }))

function failureOf(error: unknown): unknown {
  const message = error instanceof Error ? error.message : ''
  if (/pixel limit/i.test(message)) return imageRefused('The source image resolution is too large to process')
  if (/timeout/i.test(message)) return imageRefused('Image request timed out', 408)
  return unreadable()
}

async function render(bytes: Uint8Array, asked: Transformation, accept: string): Promise<RenderedImage> {
  try {
    // Upright first: the sides one asks for are those one sees.
    const image = (await openImage(bytes)).autoOrient()
    const found = await image.metadata()
    const source = { width: found.autoOrient?.width ?? found.width, height: found.autoOrient?.height ?? found.height }
    if (source.width * source.height > maxPixels) throw new Error('pixel limit')
    const limited = limitSides(asked)
    const format = formatOf(found.format, limited, accept)
    return { bytes: await encode(resize(image, source, limited), format, limited.quality ?? defaultQuality).toBuffer(), mimeType: types[format] }
  } catch (error) {
    throw failureOf(error)
  }
}

const inTurn = createQueue({ running: 2, waiting: 64, refuse: () => imageRefused('Too many requests', 429) })

/**
 * Renders an image; a few at a time, the others wait.
 *
 * @param load reads the source once its turn has come.
 * @param accept the header: whoever takes WebP gets it, unless the format is named.
 * @throws `InvalidRequest` for a source that is no image, too large or too slow; 429 when too many wait.
 */
export const renderImage = (load: () => Promise<Uint8Array>, asked: Transformation, accept: string): Promise<RenderedImage> =>
  inTurn(async () => render(await load(), asked, accept))
