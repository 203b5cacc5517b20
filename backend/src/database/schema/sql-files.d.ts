// SQL files are imported as text: the bundler's `text` loader for `.sql`, and the same in vitest.config.ts.
declare module '*.sql' {
  const text: string
  export default text
}
