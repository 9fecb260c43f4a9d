import { z } from 'zod';
import { MarketplaceError, type Received } from '#marketplaces/port.ts';
import { signatureOf } from '#platform/crypto/aws-signature.ts';
import type { AmazonDeps } from './client.ts';
import { failureOfConnection, jsonOf, unreadable } from './failures.ts';
import { readMessage } from './messages.ts';
import type { QueueAccess } from './settings.ts';

/** Most messages that Amazon returns per call. */
const MOST = 10;
/** Seconds after which a message that was not acknowledged is delivered again. */
const HIDDEN_SECONDS = 60;
const MAX_BYTES = 4_000_000;

const Messages = z.object({
  Messages: z.array(z.object({ ReceiptHandle: z.string(), Body: z.string() })).default([]),
});
const Failed = z.object({ __type: z.string().default(''), message: z.string().default('') });

/** Returns the region of a queue from its address; a queue on this machine has none. */
export const regionOf = (queueUrl: string): string =>
  /^sqs\.([a-z0-9-]+)\.amazonaws\.com/.exec(new URL(queueUrl).hostname)?.[1] ?? 'eu-central-1';

/** Returns the queue's ARN (Amazon resource name); undefined: the address is not that of a queue. */
export function arnOf(queueUrl: string): string | undefined {
  const [, owner, name] = /^\/(?:queue\/)?(\d+)\/([\w-]+)$/.exec(new URL(queueUrl).pathname) ?? [];
  return owner === undefined || name === undefined ? undefined : `arn:aws:sqs:${regionOf(queueUrl)}:${owner}:${name}`;
}

/** The queue (Amazon SQS) that receives the marketplace's notifications. A message is delivered again until acknowledged. */
export class MessageQueue {
  private readonly deps: AmazonDeps;
  private readonly access: QueueAccess;

  constructor(deps: AmazonDeps, access: QueueAccess) {
    this.deps = deps;
    this.access = access;
  }

  /** Returns at most ten messages; waits up to `waitSeconds` (20 at most) for the first. @throws MarketplaceError */
  async receive(waitSeconds: number, signal: AbortSignal | undefined): Promise<Received[]> {
    const request = { MaxNumberOfMessages: MOST, WaitTimeSeconds: waitSeconds, VisibilityTimeout: HIDDEN_SECONDS };
    const answer = Messages.safeParse(await this.ask('ReceiveMessage', request, signal));
    if (!answer.success) throw unreadable('read');
    // A message that is not JSON carries nothing; it is received and acknowledged like the others.
    return answer.data.Messages.map(({ ReceiptHandle, Body }) => ({
      receipt: ReceiptHandle,
      message: readMessage(jsonOf(Body)),
    }));
  }

  /** Acknowledges messages. @throws MarketplaceError; then they are delivered again */
  async acknowledge(receipts: readonly string[]): Promise<void> {
    for (let first = 0; first < receipts.length; first += MOST) {
      const some = receipts.slice(first, first + MOST);
      const Entries = some.map((ReceiptHandle, n) => ({ Id: String(n), ReceiptHandle }));
      await this.ask('DeleteMessageBatch', { Entries }, undefined);
    }
  }

  private async ask(operation: string, request: object, signal: AbortSignal | undefined): Promise<unknown> {
    const { url: QueueUrl, keyId, secret } = this.access;
    const url = new URL('/', QueueUrl);
    const body = JSON.stringify({ QueueUrl, ...request });
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${operation}` };
    const access = { keyId, secret, region: regionOf(QueueUrl), service: 'sqs' };
    const signed = signatureOf({ method: 'POST', url, headers, body }, access, this.deps.clock.now());
    const answer = await this.deps.egress
      .exchange(url.href, {
        method: 'POST',
        headers: { ...headers, ...signed },
        body,
        timeoutMs: 40_000,
        maxBytes: MAX_BYTES,
        signal,
      })
      .catch((error: unknown) => {
        signal?.throwIfAborted();
        throw failureOfConnection(error, 'read');
      });
    if (answer.status === 200) return jsonOf(answer.text);
    throw failureOfQueue(answer.status, Failed.catch({ __type: '', message: '' }).parse(jsonOf(answer.text) ?? {}));
  }
}

function failureOfQueue(status: number, { __type, message }: z.infer<typeof Failed>): MarketplaceError {
  const code = __type.replace(/^.*#/, '');
  const reason = message === '' ? code : message;
  if (status >= 500 || status === 429 || /throttl/i.test(code))
    return new MarketplaceError('retryable', 'Die Warteschlange bei Amazon ist gestört oder bremst.');
  // A request is signed with the time, and refused with the same error code as a wrong key.
  if (/Signature (?:expired|not yet current)/i.test(message))
    return new MarketplaceError(
      'retryable',
      'Amazon lehnt den Zugang zur Warteschlange ab, weil die Uhr des Rechners, auf dem Kontor läuft, um mehr als 15 Minuten falsch geht. Bitte stellen Sie die Uhr des Rechners.',
    );
  if (/NonExistentQueue|QueueDoesNotExist/.test(code))
    return new MarketplaceError('permanent', 'Diese Warteschlange gibt es bei Amazon nicht.', { field: 'queueUrl' });
  if (status === 403 || /Access|Signature|Token|Credential|KeyId/i.test(code))
    return new MarketplaceError(
      'auth',
      'Amazon lehnt den Zugang zur Warteschlange ab. Bitte Schlüssel und Rechte prüfen.',
    );
  return new MarketplaceError('permanent', `Die Warteschlange bei Amazon meldet: ${reason}`, { field: 'queueUrl' });
}
