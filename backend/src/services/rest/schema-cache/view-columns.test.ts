import { describe, expect, it } from 'vitest'
import { readViewColumns } from './view-columns.ts'

const entry = (resno: number, [table, column]: readonly [number, number], name = 'x'): string =>
  `{TARGETENTRY :expr {VAR :varno 1 :varattno ${column} :args ({CONST :constvalue 4 [ 40 123 ]})} :resno ${resno} :resname ${name} :ressortgroupref 0 :resorigtbl ${table} :resorigcol ${column} :resjunk false}`

describe('readViewColumns', () => {
  it("reads the outer query's columns, not those of queries inside it", () => {
    const inner = `{QUERY :targetList (${entry(1, [99, 9])})}`
    const rule = `({QUERY :commandType 1 :rtable ({RTE :subquery ${inner}}) :targetList (${entry(1, [20, 3])} ${entry(2, [0, 0])} ${entry(3, [21, 1])}) :override 0})`
    expect(readViewColumns(rule)).toEqual([
      { viewColumn: 1, relationOid: 20, relationColumn: 3 },
      { viewColumn: 3, relationOid: 21, relationColumn: 1 },
    ])
  })

  it('is not misled by brackets and labels in a column name', () => {
    const rule = `({QUERY :targetList (${entry(1, [20, 3], '\\{\\)\\ :resorigtbl\\ 7')} ${entry(2, [20, 4])})})`
    expect(readViewColumns(rule).map(({ relationOid }) => relationOid)).toEqual([20, 20])
  })
})
