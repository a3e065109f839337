import pg from 'pg'

/**
 * How PostgreSQL's text format is parsed, set once per process, so that a row already is the JSON response: timestamps
 * are ISO strings, counts are numbers.
 */
const { builtins } = pg.types

/**
 * '2026-11-15 04:29:30.1+00' → '2026-11-15T04:29:30.100Z'. Sessions run in UTC and columns have millisecond precision.
 */
function isoTimestamp(text: string): string {
  if (text.length < 22 || !text.endsWith('+00')) return new Date(text).toISOString()
  const fraction = text.length === 22 ? '.000' : text.slice(19, -3).padEnd(4, '0').slice(0, 4)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}${fraction}Z`
}

const parseTextArray = pg.types.getTypeParser(1009 as never, 'text') as (text: string) => string[]

/** Most arrays hold plain words, which need only a split instead of a parser. */
function textArray(text: string): string[] {
  if (text === '{}') return []
  if (text.includes('"') || text.includes('\\')) return parseTextArray(text)
  return text.slice(1, -1).split(',')
}

pg.types.setTypeParser(builtins.TIMESTAMPTZ, isoTimestamp)
pg.types.setTypeParser(builtins.INT8, Number)
pg.types.setTypeParser(builtins.NUMERIC, Number)
pg.types.setTypeParser(builtins.DATE, (text: string) => text)
pg.types.setTypeParser(1009 as never, textArray)
