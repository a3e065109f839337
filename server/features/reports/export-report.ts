import { toCsvLine } from '../../platform/csv.ts'

/** Rows as CSV, with the given columns. */
export async function* exportRows<Row extends object>(
  rows: Row[],
  columns: (keyof Row & string)[],
): AsyncGenerator<string> {
  yield toCsvLine(columns)
  yield rows.map((row) => toCsvLine(columns.map((name) => String(row[name] ?? '')))).join('')
}
