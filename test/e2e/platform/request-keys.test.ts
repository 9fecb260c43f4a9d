import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { admin, masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

const Failed = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

describe('a request with an idempotency key', () => {
  let kontor: TestKontor;
  let time = Date.now();
  beforeAll(async () => {
    kontor = await testKontor({}, { clock: { now: () => new Date(time) }, lookEveryMs: 40 });
  });
  afterAll(() => kontor.close());

  const post = (path: string, key: string, body: object = {}, person?: Record<string, string>) =>
    kontor.raw(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...person, 'content-type': 'application/json', 'idempotency-key': key },
      ...(person === undefined ? {} : { as: null }),
    });
  const textOf = async (answer: Promise<Response>) => {
    const { status, ...response } = await answer.then(async (one) => ({ status: one.status, text: await one.text() }));
    return `${status} ${response.text}`;
  };
  const codeOf = async (answer: Promise<Response>) => {
    const response = await answer;
    return [response.status, Failed.parse(await response.json()).error.code];
  };
  const mastersCalled = async (name: string) =>
    (await kontor.ask(api.masters)).filter((one) => one.name === name).length;
  const create = (key: string, name: string) => post(api.createMaster.path, key, { name });

  it('F18 is executed once however often it is sent, and gets the same answer each time', async () => {
    const first = await textOf(create('anlegen-1', 'Einmal'));
    expect(first).toMatch(/^200 .*masterid/);
    expect(await textOf(create('anlegen-1', 'Einmal'))).toBe(first);
    expect(await mastersCalled('Einmal')).toBe(1);
    expect(await textOf(create('anlegen-2', 'Einmal'))).not.toBe(first);
  });

  it('containing a password stores only a hash that cannot be guessed from the content', async () => {
    const change = { current: admin.password, password: 'lampe-wolke-trecker', endOthers: false };
    expect(await textOf(post(api.changePassword.path, 'passwort', change, await kontor.owner()))).toMatch(/^200 /);
    const { company } = await kontor.ask(api.session);
    const kept = await kontor.database.company(company.id, (trx) =>
      trx.selectFrom('request_keys').select('input_hash').where('key', '=', 'passwort').executeTakeFirstOrThrow(),
    );
    const content = JSON.stringify([undefined, undefined, change, undefined]);
    const guess = createHash('sha256').update(content).digest();
    for (const form of ['hex', 'base64url'] as const) expect(kept.input_hash).not.toBe(guess.toString(form));
    expect(kept.input_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('F18 is recognised by the stored hash of the previous version', async () => {
    const first = await textOf(create('älter', 'Vorher'));
    const { company } = await kontor.ask(api.session);
    const content = JSON.stringify([undefined, undefined, { name: 'Vorher' }, undefined]);
    const input_hash = createHash('sha256').update(content).digest('base64url');
    await kontor.database.company(company.id, (trx) =>
      trx.updateTable('request_keys').set({ input_hash }).where('key', '=', 'älter').execute(),
    );
    expect(await textOf(create('älter', 'Vorher'))).toBe(first);
  });

  it('F18 starts one run even if it is repeated after the run has ended', async () => {
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer\n', { key: 'sku' });
    const { id } = await kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Kanal', format: { kind: 'csv' } },
    });
    const path = pathOf(api.runExport, { id });
    const first = await textOf(post(path, 'starten'));
    const { company } = await kontor.ask(api.session);
    const runs = () =>
      kontor.database.company(company.id, (trx) =>
        trx.selectFrom('jobs').select('state').where('subject', '=', `export:${id}`).execute(),
      );
    await expect.poll(runs).toEqual([{ state: 'done' }]);
    expect(await textOf(post(path, 'starten'))).toBe(first);
    expect(await runs()).toHaveLength(1);
    expect(await textOf(post(path, 'noch einmal'))).not.toBe(first);
    expect(await runs()).toHaveLength(2);
  });

  it('F18 sent several times at once is executed once; the others get 409', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create('zugleich', 'Zugleich')));
    expect(await mastersCalled('Zugleich')).toBe(1);
    for (const answer of answers) expect([200, 409]).toContain(answer.status);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  });

  it('F18 with the key of other content or of another call is refused', async () => {
    await create('mein Schlüssel', 'Erster');
    expect(await codeOf(create('mein Schlüssel', 'Zweiter'))).toEqual([422, 'key_used']);
    expect(await codeOf(post(api.addNote.path, 'mein Schlüssel', { date: '2026-01-01', note: 'x' }))).toEqual([
      422,
      'key_used',
    ]);
    expect(await mastersCalled('Zweiter')).toBe(0);
    expect(await codeOf(create('x'.repeat(201), 'Zu lang'))).toEqual([422, 'invalid']);
  });

  it('F18 to a call that takes a file or JSON is refused when its JSON differs', async () => {
    const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Aus der Ferne' } });
    const path = pathOf(api.import, { masterid });
    const from = (name: string) => ({ url: `http://name.invalid/${name}.csv` });
    const first = await textOf(post(path, 'import', from('montag')));
    expect(first).toMatch(/^200 /);
    expect(await textOf(post(path, 'import', from('montag')))).toBe(first);
    expect(await codeOf(post(path, 'import', from('dienstag')))).toEqual([422, 'key_used']);
  });

  it('F18 that was refused can be corrected with the same key', async () => {
    const path = pathOf(api.runExport, { id: 'gibtesnicht1' });
    expect((await post(path, 'falsch')).status).toBe(404);
    expect((await post(path, 'falsch')).status).toBe(404);
    expect(await textOf(create('falsch', 'Richtig'))).toMatch(/^200 /);
  });

  it('F18 that is refused repeatedly gets its refusal or 409 each time', async () => {
    const path = pathOf(api.runExport, { id: 'gibtesnicht2' });
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => post(path, 'immer falsch')));
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses].filter((status) => status !== 404 && status !== 409)).toEqual([]);
  });

  it('F18 whose outcome is unknown after a crash is not executed again', async () => {
    await create('abgebrochen', 'Unklar');
    await kontor.database.system((trx) =>
      trx.updateTable('request_keys').set({ state: 'begun', answer: null }).where('key', '=', 'abgebrochen').execute(),
    );
    expect(await codeOf(create('abgebrochen', 'Unklar'))).toEqual([409, 'request_open']);
    expect(await mastersCalled('Unklar')).toBe(1);
  });

  it('F18 whose answer has a secret is executed once, and its answer is not stored', async () => {
    const body = { name: 'Maschine', role: 'viewer' };
    const owner = await kontor.owner();
    const first = await post(api.createToken.path, 'schlüsseldienst', body, owner);
    expect([first.status, await first.text()]).toEqual([200, expect.stringContaining('Maschine')]);
    expect(await codeOf(post(api.createToken.path, 'schlüsseldienst', body, owner))).toEqual([409, 'request_done']);
    const kept = await kontor.database.system((trx) =>
      trx.selectFrom('request_keys').select('answer').where('key', '=', 'schlüsseldienst').execute(),
    );
    expect(kept).toEqual([{ answer: null }]);
  });

  it('F18 that releases prices is answered again, because its answer has no secret', async () => {
    const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Halt' } });
    const path = pathOf(api.endRestore, { masterid });
    const first = await post(path, 'freigabe', {});
    expect([first.status, await first.json()]).toMatchObject([200, { restore: null }]);
    const again = await post(path, 'freigabe', {});
    expect([again.status, await again.json()]).toMatchObject([200, { restore: null }]);
  });

  it('F18 is forgotten after a day', async () => {
    await create('gestern', 'Gestern');
    const keys = () =>
      kontor.database.system(async (trx) =>
        (await trx.selectFrom('request_keys').select('key').execute()).map(({ key }) => key),
      );
    expect(await keys()).toContain('gestern');
    time += 26 * 60 * 60 * 1000;
    await expect.poll(keys, { timeout: 20_000 }).toEqual([]);
  });
});
