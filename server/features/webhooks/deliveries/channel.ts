/**
 * Signals the workers that there are new deliveries or, with a webhook's id as payload, that this webhook was changed.
 * Only a hint: workers also poll.
 */
export const deliveriesChannel = 'webhook-deliveries'
