/** One row as the data API answers it. */
export type Row = Readonly<Record<string, unknown>>
