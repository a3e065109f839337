/** Collects DTMF digits into one entry. `#`, a pause of 2 s or 64 digits complete it. */
interface KeyPad {
  press(digit: string): void
  tick(now: number): void
}

const pauseMs = 2_000
const maxDigits = 64

export function createKeyPad(now: () => number, onEntered: (digits: string) => void): KeyPad {
  let digits = ''
  let lastAt = 0

  function enter(): void {
    const entered = digits
    digits = ''
    if (entered) onEntered(entered)
  }

  return {
    press(digit) {
      if (!/^[0-9A-D*#]$/.test(digit)) return
      digits += digit
      lastAt = now()
      if (digit === '#' || digits.length >= maxDigits) enter()
    },
    tick(at) {
      if (digits && at - lastAt >= pauseMs) enter()
    },
  }
}
