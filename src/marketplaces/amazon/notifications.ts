import { z } from 'zod';
import { MarketplaceError } from '#marketplaces/port.ts';
import type { AmazonClient } from './client.ts';
import { unreadable } from './failures.ts';
import { arnOf } from './queue.ts';

/** The notifications we subscribe to, with the version of their payload: changed offers, changed orders, processed feeds. */
const NOTIFICATIONS = [
  ['ANY_OFFER_CHANGED', '1.0'],
  ['ORDER_CHANGE', '1.0'],
  ['FEED_PROCESSING_FINISHED', '2020-09-04'],
] as const;

const Destination = z.object({
  destinationId: z.string(),
  resource: z.object({ sqs: z.object({ arn: z.string() }).optional() }),
});
const Destinations = z.object({ payload: z.array(Destination).default([]) });
const Created = z.object({ payload: Destination });
const Subscribed = z.object({ payload: z.object({ subscriptionId: z.string(), destinationId: z.string() }) });

/**
 * Makes Amazon send its notifications to this queue: creates one destination for the application, and one subscription per kind
 * for the seller. Those that exist already are kept. @throws MarketplaceError
 */
export async function subscribe(client: AmazonClient, queueUrl: string): Promise<void> {
  const arn = arnOf(queueUrl);
  if (arn === undefined)
    throw new MarketplaceError('permanent', 'Die Adresse ist nicht die einer Warteschlange (…/Konto/Name).', {
      field: 'queueUrl',
    });
  const destinationId = await destinationOf(client, arn);
  for (const [kind, version] of NOTIFICATIONS) await subscribeTo(client, kind, version, destinationId);
}

async function destinationOf(client: AmazonClient, arn: string): Promise<string> {
  const path = '/notifications/v1/destinations';
  const request = { path, access: 'read', operation: 'destinations', grantless: true } as const;
  const known = Destinations.safeParse(await client.ask({ ...request, method: 'GET' }));
  if (!known.success) throw unreadable('read');
  const found = known.data.payload.find(({ resource }) => resource.sqs?.arn === arn);
  if (found !== undefined) return found.destinationId;
  const made = Created.safeParse(await client.ask({ ...request, method: 'POST', body: destinationRequest(arn) }));
  if (!made.success) throw unreadable('read');
  return made.data.payload.destinationId;
}

async function subscribeTo(client: AmazonClient, kind: string, version: string, destinationId: string): Promise<void> {
  const path = `/notifications/v1/subscriptions/${kind}`;
  const request = { path, access: 'read', operation: 'subscriptions' } as const;
  const known = await client.ask({ ...request, method: 'GET' }).catch((error: unknown) => {
    // Amazon answers 404 if there is no subscription.
    if (error instanceof MarketplaceError && error.kind === 'permanent') return undefined;
    throw error;
  });
  const existing = Subscribed.safeParse(known);
  if (existing.success && existing.data.payload.destinationId === destinationId) return;
  if (existing.success)
    throw new MarketplaceError(
      'permanent',
      `Amazon schickt ${kind} schon in eine andere Warteschlange. Bitte kündigen Sie das zuerst, oder tragen Sie jene ein.`,
      { field: 'queueUrl' },
    );
  await client.ask({ ...request, method: 'POST', body: subscriptionRequest(destinationId, version) });
}

export const destinationRequest = (arn: string) => ({
  name: `Kontor ${arn.split(':').at(-1) ?? ''}`,
  resourceSpecification: { sqs: { arn } },
});
export const subscriptionRequest = (destinationId: string, payloadVersion = '1.0') => ({
  payloadVersion,
  destinationId,
});
