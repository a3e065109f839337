import Type, { type Static } from 'typebox'
import { baseUrl, secret } from './setting.ts'

export const TestModeSettings = Type.Object(
  {
    SIMULATOR_SPEED: Type.Number({
      minimum: 0,
      default: 1,
      description: 'Speed of the simulated carriers of test mode: their delays are divided by it; 0 removes them.',
    }),
    SIMULATOR_URL: secret({
      pattern: baseUrl,
      description:
        'An external simulator (`frontdesk simulate`) for test mode, in place of the built-in one. Put its control token, if it has one, before the host: `http://token@sim.internal:3001`.',
    }),
  },
  { title: 'Test mode' },
)

type TestModeSettings = Static<typeof TestModeSettings>

export function* testModeProblems({ SIMULATOR_URL }: TestModeSettings): Iterable<string> {
  if (SIMULATOR_URL && isRealPlatform(SIMULATOR_URL))
    yield 'SIMULATOR_URL must be the URL of a simulator: test mode never calls the real platform'
}

const isRealPlatform = (url: string): boolean =>
  !URL.canParse(url) || /(^|\.)(facebook|whatsapp|fbsbx|twilio)\.(com|net)\.?$/i.test(new URL(url).hostname)
