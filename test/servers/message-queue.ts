import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

const Request = z.object({
  QueueUrl: z.url(),
  MaxNumberOfMessages: z.number().int().min(1).max(10).default(1),
  WaitTimeSeconds: z.number().int().min(0).max(20).default(0),
  VisibilityTimeout: z.number().int().min(0).default(30),
  Entries: z
    .array(z.object({ Id: z.string(), ReceiptHandle: z.string() }))
    .max(10)
    .default([]),
});
type Message = { id: string; body: string; shownFrom: number; receipt: string };

export type MessageQueueServer = Awaited<ReturnType<typeof messageQueueServer>>;

/**
 * Starts a queue on loopback with the rules of Amazon SQS's standard queues: a message is delivered, in any order, until it is
 * deleted by its newest receipt; after a delivery it is hidden for `VisibilityTimeout`. A short poll may find nothing although
 * there are messages, and a deletion may fail. `now`: the queue's clock. `chance`: decides whether such a fault happens, by its
 * probability.
 */
export async function messageQueueServer({ now, chance }: { now: () => number; chance: (share: number) => boolean }) {
  const messages: Message[] = [];
  const counts = { shown: 0, again: 0, deleted: 0, undeleted: 0 };
  let serial = 0;

  const visible = () => messages.filter(({ shownFrom }) => shownFrom <= now());
  const receive = async (asked: z.output<typeof Request>) => {
    const until = performance.now() + asked.WaitTimeSeconds * 1000;
    while (visible().length === 0 && performance.now() < until) await wait(10);
    if (asked.WaitTimeSeconds === 0 && chance(0.1)) return {};
    const shown = visible()
      .map((message) => ({ message, order: chance(0.1) ? 1 : 0 }))
      .toSorted((one, other) => one.order - other.order)
      .slice(0, asked.MaxNumberOfMessages)
      .map(({ message }) => message);
    for (const message of shown) {
      counts.shown++;
      if (message.receipt !== '') counts.again++;
      message.shownFrom = now() + asked.VisibilityTimeout * 1000;
      message.receipt = `receipt-${++serial}`;
    }
    if (shown.length === 0) return {};
    return { Messages: shown.map(({ id, body, receipt }) => ({ MessageId: id, ReceiptHandle: receipt, Body: body })) };
  };
  const remove = ({ Entries }: z.output<typeof Request>) => {
    const answer: { Successful: object[]; Failed: object[] } = { Successful: [], Failed: [] };
    for (const { Id, ReceiptHandle } of Entries) {
      const at = messages.findIndex(({ receipt }) => receipt === ReceiptHandle);
      if (chance(0.05)) {
        counts.undeleted++;
        answer.Failed.push({ Id, Code: 'InternalError', SenderFault: false });
        continue;
      }
      if (at >= 0) counts.deleted += messages.splice(at, 1).length;
      answer.Successful.push({ Id });
    }
    return answer;
  };
  const server = createServer((request, response) => {
    void (async () => {
      const asked = Request.parse(JSON.parse(await text(request)));
      const operation = request.headers['x-amz-target'];
      const signed = request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ') === true;
      const answer = !signed
        ? undefined
        : operation === 'AmazonSQS.ReceiveMessage'
          ? await receive(asked)
          : remove(asked);
      response.writeHead(answer === undefined ? 403 : 200, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(answer ?? { __type: 'com.amazonaws.sqs#MissingAuthenticationToken' }));
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/123456789012/kontor`,
    counts,
    /** Number of messages that are not hidden. */
    visible: () => visible().length,
    waiting: () => messages.length,
    /** Adds a message that is visible from a time on. */
    put: (message: unknown, shownFrom: number) => {
      messages.push({ id: `message-${++serial}`, body: JSON.stringify(message), shownFrom, receipt: '' });
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
