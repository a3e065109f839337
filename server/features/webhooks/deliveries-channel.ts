/**
 * Tells the workers that there is something to deliver; with a webhook's id as its payload, that something about that
 * webhook has changed. A hint: workers also look by themselves.
 */
export const deliveriesChannel = 'webhook-deliveries'
