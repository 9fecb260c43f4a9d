import { expect, it } from 'vitest';
import { MessageQueue } from './queue.ts';

const access = { url: 'https://sqs.eu-central-1.amazonaws.com/123456789012/kontor', keyId: 'AKIA', secret: 'geheim' };
const queueThat = (status: number, body: object) =>
  new MessageQueue(
    {
      egress: { exchange: async () => ({ status, header: () => undefined, text: JSON.stringify(body) }) },
      clock: { now: () => new Date('2026-03-01T12:00:00Z') },
    },
    access,
  );

it.each([
  ['slow', 'Signature expired: 20260301T120000Z is now earlier than 20260301T124500Z (20260301T130000Z - 15 min.)'],
  [
    'fast',
    'Signature not yet current: 20260301T120000Z is still later than 20260301T113000Z (20260301T111500Z + 15 min.)',
  ],
])('REP-19 a clock that is %s is reported as the cause, rather than the key or its rights', async (_way, message) => {
  for (const __type of ['com.amazon.coral.service#InvalidSignatureException', 'SignatureDoesNotMatch'])
    await expect(queueThat(403, { __type, message }).receive(0, undefined)).rejects.toMatchObject({
      kind: 'retryable',
      message: expect.stringContaining('Uhr') as string,
    });
});

it('REP-19 a wrong key is reported as such', async () => {
  const message = 'The request signature we calculated does not match the signature you provided.';
  const wrong = queueThat(403, { __type: 'SignatureDoesNotMatch', message });
  await expect(wrong.receive(0, undefined)).rejects.toMatchObject({ kind: 'auth', message: /Schlüssel und Rechte/ });
});
