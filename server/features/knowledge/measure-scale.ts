import type { CosineScale, Embedder } from '../../providers/embeddings/contract.ts'

/** Everyday questions about eight subjects, each with a text that answers it in other words. */
const pairs = [
  [
    'How long does a refund take?',
    'We pay the money back to your card within two weeks of receiving the returned item.',
  ],
  ['Can I bring my dog?', 'Pets are welcome in all rooms for a small fee per night.'],
  ['What is the capital of Australia?', 'Canberra has been the seat of the Australian government since 1927.'],
  ['How do I reset my password?', 'Choose Forgot password on the sign-in page and follow the link that we send you.'],
  [
    'When does the swimming pool open?',
    'The indoor pool is open daily from seven in the morning until nine in the evening.',
  ],
  ['Is the chocolate cake free of nuts?', 'Our chocolate cake contains almonds and may have traces of hazelnuts.'],
  [
    'How do vaccines protect people?',
    'A vaccine trains the immune system to recognize a virus before it makes you ill.',
  ],
  [
    'What should I do when the engine overheats?',
    'If the temperature warning lights up, stop, turn off the engine and let it cool down.',
  ],
] as const

/**
 * Standard deviations above the mean cosine of unrelated pairs, and above that of answers. Chosen so that the built-in
 * model, whose scale was tuned on question sets, gets that scale from these pairs too: a test compares them.
 */
const deviations = { unrelated: 1.35, floor: 2.5, answer: 0.9 }

/**
 * Where the noise of a model ends and where its answers are: every model has another scale, from 0.0 and 0.6 to 0.7 and
 * 0.9. Undefined if it does not tell answers from unrelated texts. Throws `EmbeddingError`.
 */
export async function measureScale(embedder: Embedder): Promise<CosineScale | undefined> {
  const [questions, answers] = await Promise.all([
    embedder.embed(
      pairs.map(([question]) => question),
      undefined,
      'question',
    ),
    embedder.embed(pairs.map(([, answer]) => answer)),
  ])
  const cosines = questions.flatMap((question, i) =>
    answers.map((answer, j) => ({ isAnswer: i === j, cosine: dot(question, answer) })),
  )
  const spread = (isAnswer: boolean) => spreadOf(cosines.filter((each) => each.isAnswer === isAnswer))
  const [noise, answer] = [spread(false), spread(true)]
  const floor = noise.mean + deviations.floor * noise.deviation
  if (answer.mean <= floor) return undefined
  return {
    unrelated: noise.mean + deviations.unrelated * noise.deviation,
    floor,
    answer: answer.mean + deviations.answer * answer.deviation,
  }
}

function spreadOf(values: { cosine: number }[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, { cosine }) => sum + cosine, 0) / values.length
  const variance = values.reduce((sum, { cosine }) => sum + (cosine - mean) ** 2, 0) / values.length
  return { mean, deviation: Math.sqrt(variance) }
}

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] as number), 0)
