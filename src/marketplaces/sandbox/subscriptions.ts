import { z } from 'zod';
import type { Answer } from './exchange.ts';

const Destination = z.object({
  name: z.string(),
  resourceSpecification: z.object({ sqs: z.object({ arn: z.string() }) }),
});
const Subscription = z.object({ destinationId: z.string(), payloadVersion: z.string() });

/** Destinations, which belong to the application, and subscriptions, which belong to the seller. */
export class Subscriptions {
  private readonly destinations: { destinationId: string; name: string; resource: { sqs: { arn: string } } }[] = [];
  private readonly kinds = new Map<string, { subscriptionId: string; destinationId: string; payloadVersion: string }>();

  /** The subscribed kinds, each with its destination. */
  get ordered(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      [...this.kinds].map(([kind, { destinationId }]) => [
        kind,
        this.destinations.find((one) => one.destinationId === destinationId)?.resource.sqs.arn ?? '',
      ]),
    );
  }

  answerDestinations(method: string, body: unknown): Answer {
    if (method === 'GET') return { status: 200, body: { payload: this.destinations } };
    const { name, resourceSpecification: resource } = Destination.parse(body);
    const made = { destinationId: `d${this.destinations.length}`, name, resource };
    this.destinations.push(made);
    return { status: 200, body: { payload: made } };
  }

  answerSubscription(method: string, kind: string, body: unknown): Answer {
    const known = this.kinds.get(kind);
    if (method === 'GET')
      return known === undefined
        ? { status: 404, body: { errors: [{ code: 'NotFound', message: 'No subscription.' }] } }
        : { status: 200, body: { payload: known } };
    const made = { subscriptionId: `s${this.kinds.size}`, ...Subscription.parse(body) };
    this.kinds.set(kind, made);
    return { status: 200, body: { payload: made } };
  }
}
