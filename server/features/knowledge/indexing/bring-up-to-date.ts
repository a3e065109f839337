import { indexReplacement } from '../replacements/index-replacement.ts'
import { type Indexing, type IndexRun, indexDocument } from './index-document.ts'

/** The document's own index first, then that of the version that is to replace it. */
export async function bringUpToDate(deps: Indexing, run: IndexRun): Promise<void> {
  await indexDocument(deps, run)
  await indexReplacement(deps, run)
}
