import { sealedSimulatorRecords } from '../../simulator/database-store.ts'
import { sealedAgentColumns } from '../features/agents/config/headers.ts'
import { sealedChannelColumns } from '../features/channels/sides.ts'
import { sealedSigningKeys } from '../features/organizations/credentials/signing-keys.ts'
import { sealedAuthenticators } from '../features/organizations/second-factors/sealed-secret.ts'
import { sealedProviderKeys } from '../features/provider-keys/sealed-key.ts'
import { sealedWebhookSecrets } from '../features/webhooks/signing.ts'
import type { SealedColumn } from '../platform/reseal.ts'
import { sealedValues } from '../platform/sealed-values.ts'

/**
 * Every column that SECRET_KEY seals: `frontdesk secrets rotate` processes all of them. A test checks the catalog for
 * missing ones.
 */
export const sealedColumns: SealedColumn[] = [
  ...sealedAgentColumns,
  ...sealedChannelColumns,
  sealedAuthenticators,
  sealedProviderKeys,
  sealedSigningKeys,
  sealedSimulatorRecords,
  sealedValues,
  sealedWebhookSecrets,
]
