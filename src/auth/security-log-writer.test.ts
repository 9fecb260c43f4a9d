import { expect, it } from 'vitest';
import type { AuditEvent } from '#platform/http/audit.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { SecurityLogWriter } from './security-log-writer.ts';

const event = (more: Partial<AuditEvent> = {}): AuditEvent => ({
  company: 'A',
  kind: 'access',
  result: 'refused',
  actor: 'Jo Ahrens (jo@beispiel.de)',
  actorId: 'jo',
  by: 'session',
  address: '203.0.113.9',
  what: 'Katalog anlegen',
  subject: '',
  ...more,
});

function writing(windowMs: number) {
  const written: AuditEvent[] = [];
  const add = async (one: AuditEvent) => void written.push(one);
  return { written, writer: new SecurityLogWriter({ log: makeLog('silent'), add, windowMs }) };
}

it('ten refusals a minute are logged per person and kind, then one entry with the number of the others', async () => {
  const { written, writer } = writing(50);
  for (let n = 0; n < 25; n++) await writer.write(event());
  for (const other of [{ actorId: 'mia' }, { kind: 'proof' }, { result: 'failed' }, { company: 'B' }] as const)
    await writer.write(event(other));
  expect(written).toHaveLength(10 + 4);
  await expect.poll(() => written.length).toBe(15);
  expect(written.at(-1)).toEqual(event({ what: '15 weitere in einer Minute, nicht einzeln aufgeführt' }));
  await writer.write(event());
  expect(written).toHaveLength(16);
});

it('a hundred refusals a minute are logged per company, whoever caused them, then one entry with the number of others', async () => {
  const { written, writer } = writing(60_000);
  const stranger = { kind: 'sign_in', result: 'failed', by: 'nobody', actor: '', actorId: '' } as const;
  for (let n = 0; n < 120; n++) await writer.write(event({ ...stranger, subject: `person${n}` }));
  expect(written).toHaveLength(100);
  await writer.close();
  expect(written.slice(100).map(({ company, kind, what, actor }) => [company, kind, what, actor])).toEqual([
    ['A', 'access', '20 weitere in einer Minute, nicht einzeln aufgeführt', ''],
  ]);
});

it('successful actions are always logged', async () => {
  const { written, writer } = writing(60_000);
  for (let n = 0; n < 150; n++) await writer.write(event({ result: 'done' }));
  expect(written).toHaveLength(150);
  await writer.close();
  expect(written).toHaveLength(150);
});
