import { Group, Text } from '@mantine/core'
import { type RefObject, useEffect, useRef } from 'react'
import classes from './talking.module.css'
import type { Levels } from './use-browser-call.ts'

/** Audio levels of both sides. Updated 60 times a second, so it bypasses React. */
export function LevelMeter({ levels, isMuted }: { levels: RefObject<Levels>; isMuted: boolean }) {
  const bars = { caller: useRef<HTMLDivElement>(null), agent: useRef<HTMLDivElement>(null) }
  const { caller, agent } = bars
  useEffect(() => {
    let asked = 0
    const draw = () => {
      for (const [who, bar] of [
        ['caller', caller],
        ['agent', agent],
      ] as const) {
        const level = levels.current[who]
        // Logarithmic scale, so that quiet speech is visible.
        const shown = level <= 0.001 ? 0 : Math.max(0, Math.min(1, 1 + Math.log10(level) / 2.2))
        if (bar.current) bar.current.style.transform = `scaleX(${shown})`
        levels.current[who] = level * 0.94
      }
      asked = requestAnimationFrame(draw)
    }
    asked = requestAnimationFrame(draw)
    return () => cancelAnimationFrame(asked)
  }, [levels, caller, agent])
  return (
    <Group grow gap="sm">
      {(['caller', 'agent'] as const).map((who) => (
        <div key={who}>
          <Text size="xs" c="dimmed" mb={2}>
            {who === 'caller' ? (isMuted ? 'You (muted)' : 'You') : 'Agent'}
          </Text>
          <div className={classes.meter} aria-hidden>
            <div ref={bars[who]} className={classes.level} data-who={who} data-testid={`level-${who}`} />
          </div>
        </div>
      ))}
    </Group>
  )
}
