import { KontorError } from '#platform/errors.ts';
import { type Metrics, timed } from '#platform/telemetry/metrics.ts';
import { DIGEST, MAIL, Undelivered } from './deliveries.ts';
import { MailFailure } from './mail.ts';

/** A receiver answers in tenths of a second, and is given up after half a minute. */
const ATTEMPTS = [0.1, 0.3, 1, 3, 10, 30];

/** What goes over a channel. A webhook's channel names the webhook. */
export const deliveryKind = (channel: string): 'mail' | 'digest' | 'webhook' =>
  channel === MAIL ? 'mail' : channel === DIGEST ? 'digest' : 'webhook';

/** Times attempts to deliver, by what it was (`mail`, `digest`, `webhook`) and what became of it; never by whom. */
export function deliveryMeter(metrics: Metrics) {
  const seconds = metrics.durations(
    'kontor_delivery_seconds',
    'How long attempts took to deliver e-mails, daily summaries and webhooks.',
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
