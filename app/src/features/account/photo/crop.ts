/** A picture under a square window: how much it is enlarged over just covering the window, and where its middle lies. */
export interface Crop {
  /** 1 covers the window; up to `maxZoom`. */
  zoom: number
  /** The window's middle in the picture, as a share of its width and height: 0.5 is the middle. */
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

export const maxZoom = 4
export const middle: Crop = { zoom: 1, x: 0.5, y: 0.5 }

/** The side of the square cut out, in pixels of the picture. */
const sideOf = ({ width, height }: Size, zoom: number): number => Math.min(width, height) / zoom

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)

/** Keeps the window within the picture. */
export function settle(crop: Crop, size: Size): Crop {
  const zoom = clamp(crop.zoom, 1, maxZoom)
  const side = sideOf(size, zoom)
  const [halfX, halfY] = [side / size.width / 2, side / size.height / 2]
  return { zoom, x: clamp(crop.x, halfX, 1 - halfX), y: clamp(crop.y, halfY, 1 - halfY) }
}

/** Moves the window by a share of its own side: 0.1 to the right shows more of what is at the right. */
export function move(crop: Crop, size: Size, by: { x: number; y: number }): Crop {
  const side = sideOf(size, crop.zoom)
  return settle({ ...crop, x: crop.x + (by.x * side) / size.width, y: crop.y + (by.y * side) / size.height }, size)
}

/** The square cut out, in pixels of the picture. */
export function cutOf(crop: Crop, size: Size): { x: number; y: number; side: number } {
  const { zoom, x, y } = settle(crop, size)
  const side = sideOf(size, zoom)
  return { x: x * size.width - side / 2, y: y * size.height - side / 2, side }
}

const photoSide = 512

/** Draws the square at 512 pixels. What the file said beside the picture (place, device) does not come along. */
export async function cutPicture(picture: ImageBitmap, crop: Crop): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = photoSide
  canvas.height = photoSide
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw')
  const { x, y, side } = cutOf(crop, picture)
  // Formats without transparency would turn it black.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, photoSide, photoSide)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, x, y, side, side, 0, 0, photoSide, photoSide)
  const draw = (type: string) => new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.86))
  const webp = await draw('image/webp')
  // Browsers that cannot write WebP answer with PNG, which is large for a photo.
  const blob = webp?.type === 'image/webp' ? webp : await draw('image/jpeg')
  if (!blob) throw new Error('This browser cannot write the picture')
  return blob
}
