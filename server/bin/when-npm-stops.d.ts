export declare function whenNpmStops(stop: () => void): void
