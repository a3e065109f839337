/** The version of Cartesia's API that the adapters are written for: its errors are objects, its sockets take `close`. */
export const cartesiaVersion = '2026-03-01'
