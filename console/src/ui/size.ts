const units = ['B', 'KB', 'MB', 'GB']

/** Such as 25 MB or 3.4 KB. */
export function sizeOf(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit++
  }
  const digits = unit === 0 || size >= 100 || Number.isInteger(size) ? 0 : 1
  return `${size.toFixed(digits)} ${units[unit]}`
}
