import { KontorError } from '#platform/errors.ts';
import { type Metrics, timed } from '#platform/telemetry/metrics.ts';
import { DIGEST, MAIL, Undelivered } from './deliveries.ts';
import { MailFailure } from './mail.ts';

/** Buckets in seconds: a receiver answers in tenths of a second, and times out after half a minute. */
const ATTEMPTS = [0.1, 0.3, 1, 3, 10, 30];

/** Returns the kind of a channel. A webhook's channel contains the webhook's id, which no metric may show. */
export const deliveryKind = (channel: string): 'mail' | 'digest' | 'webhook' =>
  channel === MAIL ? 'mail' : channel === DIGEST ? 'digest' : 'webhook';

/** Measures attempts to deliver, by kind (`mail`, `digest`, `webhook`) and outcome; never by receiver. */
export function deliveryMeter(metrics: Metrics) {
  const seconds = metrics.durations(
    'kontor_delivery_seconds',
    'How long attempts to deliver e-mails, daily summaries and webhooks took.',
    ['kind', 'outcome'],
    ATTEMPTS,
  );
  return <T extends { readonly became: string }>(channel: string, attempt: () => Promise<T>): Promise<T> => {
    let became: string | undefined;
    return timed(
      async () => {
        const outcome = await attempt();
        ({ became } = outcome);
        return outcome;
      },
      (took, error) =>
        seconds.observe(
          {
            kind: deliveryKind(channel),
            outcome: became ?? (isUnderstood(error) ? 'undelivered' : 'error'),
          },
          took,
        ),
    );
  };
}
export type DeliveryMeter = ReturnType<typeof deliveryMeter>;

const isUnderstood = (error: unknown): boolean =>
  error instanceof Undelivered || error instanceof MailFailure || error instanceof KontorError;
