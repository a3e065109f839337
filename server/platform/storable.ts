/** The value as PostgreSQL can store it: without NUL characters and lone surrogates, which models and platforms may send. */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T
  if (Array.isArray(value)) return value.map(storable) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [storable(name), storable(each)])) as T
}
