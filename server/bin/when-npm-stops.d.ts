export function whenNpmStops(stop: () => void): void
