import { expect, test } from 'vitest';
import { Egress } from '#platform/egress/egress.ts';
import { postWebhook } from './webhooks.ts';

const body = {
  id: 'N1',
  event: 'test',
  title: 'Titel',
  text: 'Text',
  path: '/',
  createdAt: '2026-11-30T12:00:00Z',
  company: 'Firma',
} as const;
const resolve = async (host: string) => {
  if (host === 'gibtesnicht.example') throw new Error('ENOTFOUND');
  return ['192.168.1.5'];
};
const faultOf = async (url: string): Promise<unknown> =>
  postWebhook(
    new Egress({ allowLoopback: false, resolve }),
    { url, secret: 'geheim' },
    { body, now: new Date('2026-11-30T12:00:00Z') },
  ).catch((error: unknown) => error);

test('a webhook that cannot be called says why: its address is internal, or its name unknown', async () => {
  expect(await faultOf('https://10.0.0.7/')).toMatchObject({
    code: 'address_refused',
    message: expect.stringContaining('gehört zu einem internen Netz. Kontor ruft nur'),
  });
  expect(await faultOf('https://gibtesnicht.example/')).toMatchObject({
    code: 'address_refused',
    message: expect.stringContaining('Zu diesem Namen gibt es im Internet keinen Empfänger'),
  });
});

test('T3 a name of an internal network has the text of an unknown one', async () => {
  const texts = [await faultOf('https://gibtesnicht.example/'), await faultOf('https://intranet.example/')];
  expect(new Set(texts.map(String)).size).toBe(1);
});
