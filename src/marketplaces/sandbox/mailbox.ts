import { z } from 'zod';
import { signatureOf } from '#platform/crypto/aws-signature.ts';
import type { Answer } from './exchange.ts';

export type MailboxAccess = { keyId: string; secret: string };
type SignedRequest = { url: URL; text: string; body: unknown; headers: Readonly<Record<string, string>> };

const MailboxRequest = z.object({
  MaxNumberOfMessages: z.number().int().min(1).max(10).default(1),
  VisibilityTimeout: z.number().default(30),
  Entries: z.array(z.object({ Id: z.string(), ReceiptHandle: z.string() })).default([]),
});
const refused = (status: number, type: string): Answer => ({
  status,
  body: { __type: `com.amazon.coral.service#${type}` },
});

/** Path of the queue: owner and name are part of the address, as at Amazon. */
export const MAILBOX_PATH = '/123456789012/kontor';

/** A queue with the part of Amazon SQS that we use; unacknowledged messages are delivered again later. It never waits. */
export class SandboxMailbox {
  private readonly access: MailboxAccess;
  private readonly now: () => number;
  private readonly messages = new Map<string, { body: string; shownFrom: number }>();
  private serial = 0;

  constructor(access: MailboxAccess, now: () => number) {
    this.access = access;
    this.now = now;
  }

  get waiting(): number {
    return this.messages.size;
  }

  put(messages: readonly unknown[]): void {
    for (const message of messages)
      this.messages.set(`r${this.serial++}`, { body: JSON.stringify(message), shownFrom: 0 });
  }

  answer(request: SignedRequest): Answer {
    if (!this.signedByUs(request)) return refused(403, 'InvalidSignatureException');
    const parameters = MailboxRequest.parse(request.body);
    const target = request.headers['x-amz-target'];
    if (target === 'AmazonSQS.DeleteMessageBatch') {
      for (const { ReceiptHandle } of parameters.Entries) this.messages.delete(ReceiptHandle);
      return { status: 200, body: { Successful: parameters.Entries.map(({ Id }) => ({ Id })), Failed: [] } };
    }
    if (target !== 'AmazonSQS.ReceiveMessage') return refused(400, 'InvalidAction');
    const shown = [...this.messages]
      .filter(([, { shownFrom }]) => shownFrom <= this.now())
      .slice(0, parameters.MaxNumberOfMessages);
    for (const [, message] of shown) message.shownFrom = this.now() + parameters.VisibilityTimeout * 1000;
    const Messages = shown.map(([ReceiptHandle, { body }]) => ({
      MessageId: ReceiptHandle,
      ReceiptHandle,
      Body: body,
    }));
    return { status: 200, body: shown.length === 0 ? {} : { Messages } };
  }

  /** Whether signing the request again with the account's key gives the same signature. */
  private signedByUs({ url, text, headers }: SignedRequest): boolean {
    const authorization = headers['authorization'] ?? '';
    const [, region = '', names = ''] =
      /\/([a-z0-9-]+)\/sqs\/aws4_request, SignedHeaders=([a-z0-9;-]+),/.exec(authorization) ?? [];
    const date =
      headers['x-amz-date']?.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z') ?? '';
    if (Number.isNaN(Date.parse(date))) return false;
    const host = headers['host'] ?? '';
    const own = names.split(';').filter((name) => name !== 'host' && name !== 'x-amz-date');
    const signed = {
      method: 'POST',
      url: new URL(url.pathname, `http://${host}`),
      headers: Object.fromEntries(own.map((name) => [name, headers[name] ?? ''])),
      body: text,
    };
    return (
      signatureOf(signed, { ...this.access, region, service: 'sqs' }, new Date(date)).authorization === authorization
    );
  }
}
