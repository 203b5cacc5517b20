import { expect, it } from 'vitest'
import type { Route, RouteModule } from './route.ts'
import { createRouteLoader, type Queries } from './route-loader.ts'

const Screen = () => null
const Shell = () => null
const queries = { QueryScope: () => null, startQueries: () => {} } as unknown as Queries

function openLoader() {
  const asked: string[] = []
  const loader = createRouteLoader({
    loadFrame: () => (asked.push('frame'), Promise.resolve(Shell)),
    loadQueries: () => (asked.push('queries'), Promise.resolve(queries)),
    loadWords: (area) => (asked.push(area), Promise.resolve()),
  })
  return { asked, loader }
}

const route = (frame: Route['frame'], load: () => Promise<RouteModule>, more: Partial<Route> = {}): Route => ({ path: '/x', frame, load, ...more })

it('fetches a bare screen alone, once', async () => {
  const { asked, loader } = openLoader()
  const door = route('door', () => (asked.push('screen'), Promise.resolve({ Screen })), { bare: true })
  await Promise.all([loader.load(door), loader.load(door)])
  await loader.load(door)
  expect(asked).toEqual(['screen'])
  expect(loader.get(door)).toEqual({ module: { Screen }, queries: undefined, frame: undefined })
})

it('fetches shell, queries and words along with a screen inside', async () => {
  const { asked, loader } = openLoader()
  const inside = route('inside', () => Promise.resolve({ Screen }))
  await loader.load(inside)
  expect(asked.sort()).toEqual(['frame', 'inside', 'queries', 'refusals'])
  expect(loader.get(inside)).toEqual({ module: { Screen }, queries, frame: Shell })
})

it('keeps a failure to show, and tries again when asked again', async () => {
  const { loader } = openLoader()
  let isBroken = true
  const broken = new TypeError('Failed to fetch dynamically imported module')
  const door = route('door', () => (isBroken ? Promise.reject(broken) : Promise.resolve({ Screen })))
  await loader.load(door)
  expect(loader.get(door)).toEqual({ error: broken })
  isBroken = false
  await loader.load(door)
  expect(loader.get(door)).toMatchObject({ module: { Screen } })
})

it('tells those who wait', async () => {
  const { loader } = openLoader()
  let told = 0
  const stop = loader.subscribe(() => told++)
  await loader.load(route('door', () => Promise.resolve({ Screen })))
  stop()
  await loader.load(route('door', () => Promise.resolve({ Screen })))
  expect(told).toBe(1)
})
