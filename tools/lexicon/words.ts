/** Words that this code has retired, and what to write instead. `CONTRIBUTING.md` has the rules behind the list. */
interface RetiredWord {
  /** Matched as whole words, in any case. In identifiers each part of `camelCase` and `snake_case` counts as a word. */
  word: string
  /** Where it is retired: some words are fine in prose but not as names, or the other way round. */
  where: ('identifiers' | 'comments')[]
  instead: string
}

const everywhere: RetiredWord['where'] = ['identifiers', 'comments']
const comments: RetiredWord['where'] = ['comments']
const identifiers: RetiredWord['where'] = ['identifiers']
const nameTheActor = 'name the actor: worker, node, caller, contact, member, platform, carrier, request, transaction'

export const retiredWords: RetiredWord[] = [
  { word: 'whoever', where: everywhere, instead: nameTheActor },
  { word: 'somebody', where: everywhere, instead: nameTheActor },
  { word: 'someone', where: everywhere, instead: nameTheActor },
  { word: 'nobody', where: everywhere, instead: nameTheActor },
  { word: 'anybody', where: everywhere, instead: nameTheActor },
  { word: 'everybody', where: everywhere, instead: nameTheActor },
  { word: 'lane', where: everywhere, instead: 'SendQueue, EndpointQueue, EndpointLease; of a recording: track' },
  { word: 'lanes', where: everywhere, instead: 'queues, leases, tracks' },
  { word: 'stroke', where: comments, instead: 'flush, batch' },
  { word: 'strokes', where: comments, instead: 'flushes, batches' },
  { word: 'books', where: comments, instead: 'worker lease, lease store, hook secret cache, rows' },
  { word: 'tray', where: everywhere, instead: 'group of results' },
  { word: 'in hand', where: everywhere, instead: 'claimed, in flight' },
  { word: 'hand over', where: comments, instead: 'mark in flight; of a conversation: hand off' },
  { word: 'handed over', where: comments, instead: 'marked in flight; of a conversation: handed off' },
  { word: 'farewell', where: everywhere, instead: 'drain, drainTimeoutMs' },
  { word: 'goodbye', where: everywhere, instead: 'release, drain' },
  { word: 'patience', where: everywhere, instead: 'timeout' },
  { word: 'elders', where: everywhere, instead: 'older transactions' },
  { word: 'ear', where: identifiers, instead: 'SpeechInput' },
  { word: 'mouth', where: identifiers, instead: 'SpeechOutput' },
  { word: 'beat', where: identifiers, instead: 'tick, heartbeat' },
  { word: 'deafen', where: everywhere, instead: 'stop listening' },
  { word: 'wish', where: identifiers, instead: 'requestedAction' },
  { word: 'mend', where: everywhere, instead: 'fix, repair' },
  { word: 'mended', where: everywhere, instead: 'fixed, repaired' },
  { word: 'anew', where: everywhere, instead: 'again' },
  { word: 'given up for dead', where: comments, instead: 'its lease expired' },
  { word: 'door token', where: everywhere, instead: 'url token' },
]
