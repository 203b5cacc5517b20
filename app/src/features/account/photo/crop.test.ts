import { expect, it } from 'vitest'
import { cutOf, maxZoom, middle, move, settle } from './crop.ts'

const wide = { width: 400, height: 200 }

it('cuts the largest square out of the middle at first', () => {
  expect(cutOf(middle, wide)).toEqual({ x: 100, y: 0, side: 200 })
  expect(cutOf(middle, { width: 200, height: 400 })).toEqual({ x: 0, y: 100, side: 200 })
})

it('never leaves the picture, however far it is moved or enlarged', () => {
  expect(cutOf(move(middle, wide, { x: 99, y: 99 }), wide)).toEqual({ x: 200, y: 0, side: 200 })
  expect(cutOf(move(middle, wide, { x: -99, y: -99 }), wide)).toEqual({ x: 0, y: 0, side: 200 })
  expect(settle({ zoom: 99, x: 0, y: 2 }, wide).zoom).toBe(maxZoom)
  expect(cutOf({ zoom: 2, x: 0, y: 2 }, wide)).toEqual({ x: 0, y: 100, side: 100 })
})

it('moves by shares of what is shown, so that a drag follows the hand at every size', () => {
  expect(cutOf(move({ zoom: 2, x: 0.5, y: 0.5 }, wide, { x: 0.1, y: 0 }), wide)).toEqual({ x: 160, y: 50, side: 100 })
})

it('comes back within when it is made smaller at an edge', () => {
  const edge = move({ zoom: 4, x: 0.5, y: 0.5 }, wide, { x: 99, y: 99 })
  expect(cutOf(settle({ ...edge, zoom: 1 }, wide), wide)).toEqual({ x: 200, y: 0, side: 200 })
})
