const units: [seconds: number, name: string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
]

/** The two largest units that matter: "2 d 4 h", "3 min 20 s", "45 s". */
export function durationText(seconds: number): string {
  const at = units.findIndex(([size]) => seconds >= size)
  if (at === -1) return '0 s'
  return units
    .slice(at, at + 2)
    .map(([size, name], i) => [
      i === 0 ? Math.floor(seconds / size) : Math.floor((seconds % (units[at]?.[0] ?? 1)) / size),
      name,
    ])
    .filter(([count]) => count !== 0)
    .map(([count, name]) => `${count} ${name}`)
    .join(' ')
}

/** One unit: minutes up to an hour and a half, hours up to two days, then days. */
export function roughMinutes(minutes: number): string {
  if (minutes < 90) return `${minutes} min`
  return minutes < 2880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} d`
}
