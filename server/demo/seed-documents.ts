import { uploadDocument } from '../features/knowledge/upload-document.ts'
import type { Database } from '../platform/database.ts'
import type { FileStore } from '../providers/files/contract.ts'

/** What the agent answers from. */
const documents = {
  'prices.txt': `Prices at Juniper Dental

A first check-up with X-rays costs $120. A cleaning costs $95. For children under 12 the check-up costs $60.

Whitening costs $350 and takes 90 minutes. It lasts one to two years for most people.

You can pay by card or in cash, and in two parts without interest. We take Delta Dental PPO and Premier. Two cleanings a year are covered in most plans.
`,
  'visiting-us.txt': `Visiting Juniper Dental

We are open from nine to five, Monday to Friday. The practice is at 218 Alder Street in San Francisco.

There is a garage at 210 Alder Street. The first hour of parking is free with our stamp.

Please bring your insurance card to the first appointment. You can cancel an appointment until 24 hours before without a fee.

After an extraction, bite on clean gauze for 30 minutes and do not rinse on the first day. Call us if it still bleeds after two hours.
`,
}

/** Uploads the documents as a member would; a job indexes them. An upload that is repeated adds nothing. */
export async function seedDocuments(
  deps: { database: Database; files: FileStore },
  organizationId: string,
): Promise<void> {
  const scope = { organizationId, livemode: false }
  for (const [fileName, text] of Object.entries(documents))
    await uploadDocument(deps, scope, {
      async receive(store) {
        await store(bytesOf(text))
        return { fileName, mimeType: 'text/plain', fields: new Map() }
      },
      commit: (last) => deps.database.inTenant(scope, last),
    })
}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}
